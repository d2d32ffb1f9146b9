#include "blocks/contact/kelvin_voigt.h"
#include <hilda/block.h>

namespace hilda {
namespace {

/// One row a contact with a wall of a room: wall, time, speed before and after (as commanded, along the wall's normal,
/// both positive for a rebound), CoV and CoF (rebound speed and peak force over those of the undelayed bounce, in
/// closed form), CoR, peak force, energy ratio. Each axis by itself: a contact begins when its wall force, measured
/// force or applied force is non-zero and ends once all have been zero for the loop's whole delay and three ticks more;
/// its speed after is that of the first such tick.
struct RoomMetrics : Block {
  enum Column {
    column_wall,
    column_time,
    column_before,
    column_after,
    column_peak,
    column_number,
    column_energy,
    columns
  };
  using Contact = Fixed<columns>;

  Input<Vector3> velocity{*this, "velocity", "m/s", "Of the tool as commanded, W axes", in_update};
  Input<Vector3> measured{*this, "measured", "N", "Force on the tool as measured, W axes", in_update};
  Input<Vector3> applied{*this, "applied", "N", "Force that moves the body, W axes", in_update};
  Input<Vector3> wall_force{*this,     "wall_force",
                            "N",       "True force on the walls, W axes; from the measured one where not wired",
                            in_update, optional};
  Input<double> kinetic_energy{*this, "kinetic_energy", "J", "Of the body", in_update, optional};
  Output<std::int64_t> finished{*this, "finished", "Contacts that have ended", from_state};

  Parameter<double> mass{*this, "mass", "kg", "Of the body", above(0.0)};
  Parameter<double> stiffness{*this, "stiffness", "N/m", "Of the walls, for the undelayed bounce", at_least(0.0)};
  Parameter<double> damping{*this,         "damping",      "N s/m", "Of the walls, for the undelayed bounce",
                            at_least(0.0), by_default("0")};
  Parameter<double> loop_delay{*this,         "loop_delay",     "s", "Of robot and sensor together",
                               at_least(0.0), by_default("0 s")};
  Parameter<double> threshold{
      *this, "threshold", "N", "Measured and applied force count as zero up to here", at_least(0.0), by_default("0 N")};
  Parameter<std::int64_t> capacity{*this, "capacity", "Rows kept for the table", at_least(1.0), by_default("1000")};

  State<Vector3> row{*this, "row", "", "Row of the contact under way on each axis, from 1; 0: none"};
  State<Vector3> quiet{*this, "quiet", "", "Ticks since everything on the axis was zero"};
  State<Vector3> number{*this, "number", "", "Contacts on each axis so far"};
  State<Vector3> first_speed{*this, "first_speed", "m/s", "Speed on each axis before its first contact"};
  State<std::int64_t> begun{*this, "begun", "Contacts that have begun"};
  State<std::int64_t> ended{*this, "ended", "Contacts that have ended"};
  State<double> energy_start{*this, "energy_start", "J", "Kinetic energy at the start"};
  State<bool> started{*this, "started", "The first tick is over"};
  State<Matrix> table{
      *this, "table", "capacity 7", "",
      "wall (1 to 3, with its sign), time, speed before, after, peak force, number on its axis, energy ratio"};

  void prepare(const Instance& instance) override { settle_ = std::ceil(*loop_delay / instance.period() - 1e-9) + 3.0; }
  void state_output(const Tick&) override { finished = *ended; }

  void update(const Tick& t) override {
    if (!*started) energy_start = kinetic_energy.value_or(0.0);
    started = true;
    const Vector3 wall = wall_force.connected() ? *wall_force : Vector3(-above_threshold(*measured));
    for (Eigen::Index i = 0; i < 3; ++i) {
      const bool active = wall[i] != 0.0 || beyond((*measured)[i]) || beyond((*applied)[i]);
      if (active && (*row)[i] == 0.0) begin(t, i, wall[i]);
      if ((*row)[i] != 0.0) follow(i, active, wall[i]);
    }
  }

  void summarize(const Summary& summary) const override {
    static constexpr const char* walls[] = {"x-", "y-", "z-", "x+", "y+", "z+"};
    const KelvinVoigt bounce = KelvinVoigt::of(*mass, *stiffness, *damping);
    const bool known = *stiffness > 0.0 && std::isfinite(*mass);
    const auto rows = *table;
    std::int64_t index = 0;
    for (std::int64_t r = 0; r < std::min(*begun, *capacity); ++r) {
      const Contact c = rows.row(r).transpose();
      if (is_open(r)) continue;
      const auto axis = static_cast<Eigen::Index>(std::abs(c[column_wall])) - 1;
      const double ideal = (*first_speed)[axis] * std::pow(bounce.restitution, c[column_number] - 1.0);
      summary.begin_row("contacts");
      summary.number("index", static_cast<double>(++index));
      summary.text("wall", walls[axis + (c[column_wall] > 0.0 ? 3 : 0)]);
      summary.number("time", c[column_time], "s");
      summary.number("speed_before", c[column_before], "m/s");
      summary.number("speed_after", c[column_after], "m/s");
      summary.number("cov", known ? c[column_after] / (ideal * bounce.restitution) : NAN);
      summary.number("cof", known ? c[column_peak] / (ideal * bounce.peak) : NAN);
      summary.number("cor", c[column_after] / c[column_before]);
      summary.number("peak_force", c[column_peak], "N");
      summary.number("energy_ratio", *energy_start > 0.0 ? c[column_energy] / *energy_start : NAN);
      summary.end_row();
    }
    if (*begun > *capacity) summary.number("contacts_not_listed", static_cast<double>(*begun - *capacity));
  }

private:
  bool beyond(double force) const { return std::abs(force) > *threshold; }
  Vector3 above_threshold(Vector3 force) const {
    for (Eigen::Index i = 0; i < 3; ++i)
      if (!beyond(force[i])) force[i] = 0.0;
    return force;
  }
  bool is_open(std::int64_t r) const { return ((*row).array() == static_cast<double>(r + 1)).any(); }

  void begin(const Tick& t, Eigen::Index axis, double force) {
    const double speed = (*velocity)[axis], side = force != 0.0 ? std::copysign(1.0, force) : std::copysign(1.0, speed);
    Vector3 rows = *row, counts = *number, first = *first_speed;
    begun = *begun + 1;
    rows[axis] = static_cast<double>(*begun);
    if (counts[axis] == 0.0) first[axis] = side * speed;
    counts[axis] += 1.0;
    row = rows, number = counts, first_speed = first;
    Contact fresh = Contact::Zero();
    fresh[column_wall] = side * static_cast<double>(axis + 1);
    fresh[column_time] = t.time();
    fresh[column_before] = side * speed;
    fresh[column_number] = counts[axis];
    if (*begun <= *capacity) (*table).row(*begun - 1) = fresh.transpose();
  }

  void follow(Eigen::Index axis, bool active, double force) {
    Vector3 rows = *row, still = *quiet;
    const auto r = static_cast<Eigen::Index>(rows[axis]) - 1;
    if (r < *capacity) {
      auto all = *table;
      all(r, column_peak) = std::max(all(r, column_peak), std::abs(force));
      if (!active && still[axis] == 0.0) {
        all(r, column_after) = -std::copysign(1.0, all(r, column_wall)) * (*velocity)[axis];
        all(r, column_energy) = kinetic_energy.value_or(0.0);
      }
    }
    still[axis] = active ? 0.0 : still[axis] + 1.0;
    if (still[axis] >= settle_) {
      rows[axis] = 0.0;
      still[axis] = 0.0;
      ended = *ended + 1;
    }
    row = rows, quiet = still;
  }

  double settle_ = 3.0; // from the parameters, by prepare
};
HILDA_PLUGIN(RoomMetrics,
             "Figures of merit of each contact with a wall of a room: CoV, CoF, CoR, peak force and energy.")

} // namespace
} // namespace hilda
