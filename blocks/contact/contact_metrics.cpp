#include <hilda/block.h>

namespace hilda {
namespace {

/// One row a contact: time, speed before and after (as commanded, along the struck wall's normal, both positive for a
/// rebound), CoV and CoF (rebound speed and peak force over the ideal run's), CoR, peak force, energy ratio, stiffness
/// and damping as identified by then. A contact begins when wall force (where it is wired), gate or applied force is
/// non-zero and ends once all have been zero for the loop's whole delay and three ticks more; its speed after is that
/// of the first such tick. Figures that need the ideal run or the bodies' energy are NaN where those are not wired.
struct ContactMetrics : Block {
  enum Column {
    column_time,
    column_before,
    column_after,
    column_cov,
    column_cof,
    column_cor,
    column_peak,
    column_energy,
    column_stiffness,
    column_damping,
    column_ideal,  ///< 1 where the ideal run's figures are known
    column_bodies, ///< 1 where the bodies' energy is known
    columns
  };
  using Row = Fixed<columns>;

  Input<Vector3> velocity{*this, "velocity", "m/s", "Of the tip as commanded, W axes", in_update};
  Input<Vector3> measured{*this, "measured", "N", "Force on the wall as measured, W axes", in_update};
  Input<Vector3> applied{*this, "applied", "N", "Force that moves the bodies, W axes, either sign", in_update};
  Input<bool> in_contact{*this, "in_contact", "From the gate", in_update};
  Input<Vector3> wall_force{*this,     "wall_force",
                            "N",       "True force on the wall, W axes; the measured one where not wired",
                            in_update, optional};
  Input<double> stiffness{*this, "stiffness", "N/m", "Identified so far", in_update, optional};
  Input<double> damping{*this, "damping", "N s/m", "Identified so far", in_update, optional};
  Inputs<Vector> kinetic_energy{*this, "kinetic_energy", "", "J", "Of each body", in_update};
  Input<std::int64_t> ideal_contact{*this, "ideal_contact", "Which contact the ideal figures are of", in_update,
                                    optional};
  Input<double> ideal_speed{*this, "ideal_speed", "m/s", "Its rebound speed", in_update, optional};
  Input<double> ideal_peak{*this, "ideal_peak", "N", "Its peak force", in_update, optional};
  Output<std::int64_t> wanted{*this, "wanted", "Contact under way or waiting for its ideal figures, from 1",
                              from_state};
  Output<std::int64_t> finished{*this, "finished", "Contacts so far", from_state};
  Output<bool> under_way{*this, "under_way", "A contact has begun and not ended", from_state};
  Output<double> cov{*this, "cov", "", "Of the last contact; 0 where not available", from_state};
  Output<double> cof{*this, "cof", "", "Of the last contact; 0 where not available", from_state};
  Output<double> cor{*this, "cor", "", "Of the last contact; 0 where not available", from_state};
  Output<double> energy_ratio{*this, "energy_ratio", "",
                              "Kinetic energy after the last contact over that at the start; 0: not available",
                              from_state};

  Parameter<Vector3> normal{*this, "normal", "", "Of the walls, W axes; scaled to length 1", by_default("1 0 0")};
  Parameter<double> loop_delay{*this,         "loop_delay",     "s", "Of robot and sensor together",
                               at_least(0.0), by_default("0 s")};
  Parameter<std::int64_t> contacts{*this, "contacts", "The run stops after so many; 0: no limit", at_least(0.0),
                                   by_default("0")};
  Parameter<std::int64_t> capacity{*this, "capacity", "Rows kept for the table", at_least(1.0), by_default("1000")};

  State<bool> open{*this, "open", "A contact is under way"};
  State<std::int64_t> quiet{*this, "quiet", "Ticks since everything was zero"};
  State<std::int64_t> closed{*this, "closed", "Contacts that have ended"};
  State<bool> waiting{*this, "waiting", "The last row lacks its ideal figures"};
  State<double> side{*this, "side", "", "Sign of the struck wall's normal"};
  State<double> energy_start{*this, "energy_start", "J", "Kinetic energy at the start"};
  State<bool> started{*this, "started", "energy_start is known"};
  State<Row> row{*this, "row", "", "The contact under way or waiting; columns as in the table"};
  State<Row> last{*this, "last", "", "The last complete row"};
  State<Matrix> table{
      *this, "table", "capacity 12", "",
      "time, speed before, after, CoV, CoF, CoR, peak force, energy ratio, stiffness, damping, what is known"};

  void configure(const Instance& instance) override {
    if ((*normal).norm() < 1e-9) instance.report("normal", "has no length; give the walls' normal");
    if (*contacts > *capacity) instance.report("contacts", "is larger than capacity; raise capacity to as many rows");
  }
  void prepare(const Instance& instance) override {
    normal_ = (*normal).normalized();
    settle_ = static_cast<std::int64_t>(std::ceil(*loop_delay / instance.period() - 1e-9)) + 3;
  }

  void state_output(const Tick&) override {
    wanted = *open ? *closed + 1 : *waiting ? *closed : std::int64_t{0};
    finished = *closed;
    under_way = *open;
    const Row figures = *last;
    cov = figures[column_cov];
    cof = figures[column_cof];
    cor = figures[column_cor];
    energy_ratio = figures[column_energy];
  }

  void update(const Tick& t) override {
    const double energy = total_energy();
    if (!*started) {
      energy_start = energy;
      started = true;
    }
    const Vector3 wall = wall_force.connected() ? *wall_force : *measured;
    const bool touching = wall_force.connected() && wall.norm() > 1e-9; // a real sensor never reads 0: the gate tells
    const bool active = touching || *in_contact || (*applied).norm() > 0.0;
    if (*waiting) complete(t, active);
    if (active && !*open) begin(t, wall);
    if (*open) follow(t, active, wall, energy);
  }

  void summarize(const Summary& summary) const override {
    static constexpr const char* keys[] = {"time", "speed_before", "speed_after",  "cov",       "cof",
                                           "cor",  "peak_force",   "energy_ratio", "stiffness", "damping"};
    static constexpr const char* units[] = {"s", "m/s", "m/s", "1", "1", "1", "N", "1", "N/m", "N s/m"};
    const auto rows = *table;
    const std::int64_t kept = std::min(*closed, *capacity);
    for (std::int64_t i = 0; i < kept; ++i) {
      summary.begin_row("contacts");
      summary.number("index", static_cast<double>(i + 1));
      const auto known = [&](int c) {
        if (c == column_cov || c == column_cof) return rows(i, column_ideal) != 0.0;
        if (c == column_energy) return rows(i, column_bodies) != 0.0;
        if (c == column_stiffness) return stiffness.connected();
        return c != column_damping || damping.connected();
      };
      for (int c = 0; c < column_ideal; ++c) summary.number(keys[c], known(c) ? rows(i, c) : NAN, units[c]);
      summary.end_row();
    }
    if (*closed > kept) summary.number("contacts_not_listed", static_cast<double>(*closed - kept));
  }

private:
  double total_energy() const {
    double sum = 0.0;
    for (Eigen::Index i = 0; i < kinetic_energy.size(); ++i) sum += kinetic_energy[i][0];
    return sum;
  }

  void begin(const Tick& t, const Vector3& wall) {
    const double pressing = wall.dot(normal_), sensed = (*measured).dot(normal_), speed = (*velocity).dot(normal_);
    side = (pressing != 0.0 ? pressing : sensed != 0.0 ? sensed : speed) >= 0.0 ? 1.0 : -1.0;
    Row fresh = Row::Zero();
    fresh[column_time] = t.time();
    fresh[column_before] = *side * speed;
    row = fresh;
    open = true;
    quiet = std::int64_t{0};
  }

  void follow(const Tick& t, bool active, const Vector3& wall, double energy) {
    Row now = *row;
    now[column_peak] = std::max(now[column_peak], wall.norm());
    if (!active && *quiet == 0) {
      now[column_after] = -*side * (*velocity).dot(normal_);
      now[column_cor] = now[column_before] != 0.0 ? now[column_after] / now[column_before] : 0.0;
      now[column_stiffness] = stiffness.value_or(0.0);
      now[column_damping] = damping.value_or(0.0);
      now[column_bodies] = *energy_start > 0.0 ? 1.0 : 0.0;
      if (*energy_start > 0.0) now[column_energy] = energy / *energy_start;
    }
    row = now;
    quiet = active ? std::int64_t{0} : *quiet + 1;
    if (*quiet < settle_) return;
    open = false;
    closed = *closed + 1;
    waiting = true;
    complete(t, false);
  }

  /// Ends the row as soon as the ideal run has had the same contact, or never will, or the next one begins.
  void complete(const Tick& t, bool overtaken) {
    const bool known = ideal_contact.connected() && *ideal_contact == *closed;
    const bool never =
        !ideal_contact.connected() || !ideal_speed.connected() || !ideal_peak.connected() || *ideal_contact < 0;
    if (!known && !never && !overtaken) return;
    Row now = *row;
    if (known && !never) {
      now[column_cov] = now[column_after] / *ideal_speed;
      now[column_cof] = now[column_peak] / *ideal_peak;
      now[column_ideal] = 1.0;
    }
    last = now;
    if (*closed <= *capacity) {
      auto rows = *table;
      rows.row(*closed - 1) = now.transpose();
    }
    waiting = false;
    if (*contacts > 0 && *closed >= *contacts) t.stop("the contacts that were asked for are over");
  }

  // from the parameters, by prepare
  Vector3 normal_ = Vector3::UnitX();
  std::int64_t settle_ = 3;
};
HILDA_PLUGIN(ContactMetrics, "Figures of merit of each contact: CoV, CoF, CoR, peak force and energy.")

} // namespace
} // namespace hilda
