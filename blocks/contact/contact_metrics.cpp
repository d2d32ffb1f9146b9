// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/contact/contact_phase.h"
#include "blocks/contact/resolution.h"
#include <hilda/figures.h>

namespace hilda {
namespace {

/// One row a contact: time, speed before and after (as commanded, along the struck wall's normal, both positive for a
/// rebound), CoV and CoF (rebound speed and peak force over the ideal run's), CoR, peak force, energy ratio, stiffness
/// and damping as identified by then. ContactPhase says when a contact begins and ends: with the true wall force where
/// that is wired, else with the gate. The speed after it is that of the first quiet tick, at which neither wall nor
/// gate nor applied force shows it; where a ledger says `settled`, that of the first tick at which it does, at the
/// latest one tick before the next contact. Figures that need the ideal run or the bodies' energy, or that would divide
/// by zero, are not available; none ends a run. A loop whose energy is 1e12 times what it was at the start has
/// diverged: the run ends there.
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
    column_released,
    column_stale,
    column_pushes, ///< sum of the wall force over the ticks, N
    column_rise,   ///< ticks up to the peak of the wall force
    column_acting, ///< sum of the applied force along the normal over the ticks, N
    column_ideal,  ///< from here on: 1 where the figure is known: CoV
    column_forces, ///< CoF
    column_rebound,
    column_bodies,
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
  Inputs<Vector> kinetic_energy{
      *this, "kinetic_energy", "", "J", "Of each body, in the frame of their common centre of mass", in_update};
  Input<std::int64_t> ideal_contact{*this, "ideal_contact", "Which contact the ideal figures are of", in_update,
                                    optional};
  Input<double> ideal_speed{*this, "ideal_speed", "m/s", "Its rebound speed", in_update, optional};
  Input<double> ideal_peak{*this, "ideal_peak", "N", "Its peak force", in_update, optional};
  Input<bool> settled{*this, "settled", "Nothing of the last contact is left to settle; from a ledger", in_update,
                      optional};
  Input<bool> stale{*this, "stale", "A lost or late cycle touches this tick", in_update, optional};
  Output<std::int64_t> wanted{*this, "wanted", "First contact without its ideal figures, from 1; 0: none", from_state};
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

  State<Fixed<ContactPhase::packed_size>> phase{*this, "phase", "", "Of the contact under way"};
  State<std::int64_t> begun{*this, "begun", "Contacts that have begun"};
  State<std::int64_t> ended{*this, "ended", "Contacts that have ended"};
  State<std::int64_t> filed{*this, "filed", "Contacts whose rebound has been read"};
  State<std::int64_t> compared{*this, "compared", "Contacts that have been compared with the ideal run, or cannot be"};
  State<double> energy_start{*this, "energy_start", "J", "Kinetic energy at the start"};
  State<bool> started{*this, "started", "energy_start is known"};
  State<bool> diverged{*this, "diverged", "The run has ended for that"};
  State<bool> inside{*this, "inside", "The robot began in a wall: the ideal run does not have the first contact"};
  State<Row> row{*this, "row", "", "The contact under way or the last one; columns as in the table"};
  State<Row> last{*this, "last", "", "The last that has been compared with the ideal run"};
  State<Matrix> table{
      *this, "table", "capacity 19", "",
      "time, speed before, after, CoV, CoF, CoR, peak force, energy ratio, stiffness, damping, speed "
      "released, whether stale, sum of forces, ticks to the peak, sum of applied forces, what is known"};

  void configure(const Instance& instance) override {
    if ((*normal).norm() < 1e-9) instance.report("normal", "has no length; give the walls' normal");
    if (*contacts > *capacity) instance.report("contacts", "is larger than capacity; raise capacity to as many rows");
  }
  void prepare(const Instance& instance) override {
    normal_ = (*normal).normalized();
    period_ = instance.period();
    settle_ = static_cast<std::int64_t>(std::ceil(*loop_delay / period_ - 1e-9)) + 3;
  }

  void state_output(const Tick&) override {
    wanted = *begun > *compared ? *compared + 1 - unmatched() : std::int64_t{0};
    finished = *ended;
    under_way = *begun > *ended;
    const Row figures = *last;
    cov = figures[column_cov];
    cof = figures[column_cof];
    cor = figures[column_cor];
    energy_ratio = figures[column_energy];
  }

  void update(const Tick& t) override {
    if (!counts_can_be(t))
      return t.fail("its counts of contacts are none to which a run can come: begun", static_cast<double>(*begun));
    const double energy = total_energy();
    if (!*started) energy_start = energy;
    const Vector3 wall = wall_force.connected() ? *wall_force : *measured;
    follow(t, wall, energy);
    // Under way at once and leaving: the robot's delayed motion comes out of a wall that the bodies never were in.
    if (!*started && *begun == 1 && (*row)[column_before] < 0.0) inside = true;
    started = true;
    compare();
    if (*contacts > 0 && *filed >= *contacts && *compared >= *contacts &&
        (ContactPhase::unpacked(*phase).quiet >= settle_ || *begun > *contacts))
      t.stop("the contacts that were asked for are over");
    if (*energy_start > 0.0 && energy > divergence * *energy_start) {
      diverged = true;
      t.fail("the loop diverged at this many times the kinetic energy of the start", energy / *energy_start);
    }
  }

  void summarize(const Summary& summary) const override {
    declare_table(summary, "contacts");
    const std::int64_t listed = *diverged ? *begun : *ended, kept = std::min(listed, *capacity);
    Resolution resolution(period_);
    for (std::int64_t i = 0; i < kept; ++i) {
      const Row r = i < *filed ? Row((*table).row(i).transpose()) : *row;
      list(summary, i + 1, r);
      const double per_push = std::abs((r[column_before] + r[column_after]) / r[column_acting]);
      resolution.add(i + 1, {r[column_peak], r[column_pushes], r[column_rise], r[column_before], per_push});
    }
    if (listed > kept) summary.number("contacts_not_listed", static_cast<double>(listed - kept));
    resolution.warn(summary);
    if (*inside)
      warn(summary,
           "the robot was in a wall at tick 0, where its delay had put it: contact 1 is not a contact of the bodies "
           "and has no CoV; begin farther from the walls than speed times delay");
    if (stale.connected()) tell_means(summary, kept);
  }

private:
  static constexpr double divergence = 1e12;        ///< of the energy at the start
  static constexpr std::int64_t most_a_tick = 1000; ///< contacts: the sample time may have been a shorter one

  double total_energy() const {
    double sum = 0.0;
    for (Eigen::Index i = 0; i < kinetic_energy.size(); ++i) sum += kinetic_energy[i][0];
    return sum;
  }

  /// They number rows of the table; a checkpoint of another hand may say anything.
  bool counts_can_be(const Tick& t) const {
    return 0 <= *compared && *compared <= *filed && *filed <= *begun && 0 <= *ended && *ended <= *begun &&
           *begun / most_a_tick <= t.index();
  }

  std::int64_t unmatched() const { return *inside ? 1 : 0; }

  /// Along the normal, where the force is that of one of these walls.
  double along_normal(const Vector3& force) const {
    const double along = force.dot(normal_);
    return std::abs(along) > 0.5 * force.norm() ? along : 0.0;
  }

  void follow(const Tick& t, const Vector3& wall, double energy) {
    ContactSigns now;
    now.truth = wall_force.connected();
    now.gate = *in_contact;
    now.touching = now.truth ? wall.norm() > 1e-9 : now.gate; // a real sensor never reads 0
    now.force = now.touching ? along_normal(wall) : 0.0;
    now.pushed = !settled.connected() && (*applied).norm() > 0.0;
    const double speed = (*velocity).dot(normal_);
    ContactPhase contact = ContactPhase::unpacked(*phase);
    const bool crossed = contact.stage == ContactPhase::pressing; // from one wall to the other between two ticks
    const double side = contact.side;
    const ContactPhase::Events events = contact.step(now, speed, settle_);
    phase = contact.packed();
    if (events.overtaken && crossed) read(-side * speed, energy, true);
    if (events.ended) ended = *ended + 1;
    if (events.begun) {
      if (*filed < *begun) file();
      begin(t, contact.side * speed);
    }
    if (contact.stage == ContactPhase::idle || *filed == *begun) return;
    if (stale.connected() && *stale) mark();
    act(along_normal(*applied));
    if (contact.stage == ContactPhase::pressing) {
      press(t, wall.norm());
      return;
    }
    const bool settling = settled.connected();
    if (contact.quiet <= 1 || settling) read(-contact.side * speed, energy, contact.quiet <= 1);
    if (contact.stage == ContactPhase::released && (!settling || *settled)) file();
  }

  void begin(const Tick& t, double speed) {
    Row fresh = Row::Zero();
    fresh[column_time] = t.time();
    fresh[column_before] = speed;
    row = fresh;
    begun = *begun + 1;
  }
  void mark() {
    Row now = *row;
    now[column_stale] = 1.0;
    row = now;
  }
  void act(double force) {
    Row now = *row;
    now[column_acting] += force;
    row = now;
  }
  void press(const Tick& t, double force) {
    Row now = *row;
    if (force > now[column_peak]) {
      now[column_peak] = force;
      now[column_rise] = Resolution(period_).rise_at(t.time(), now[column_time]);
    }
    now[column_pushes] += force;
    row = now;
  }
  void read(double speed, double energy, bool releasing) {
    Row now = *row;
    now[column_after] = speed;
    if (releasing) now[column_released] = speed;
    now[column_rebound] = divided(speed, now[column_before], now[column_cor]);
    now[column_bodies] = divided(energy, *energy_start, now[column_energy]);
    now[column_stiffness] = stiffness.value_or(0.0);
    now[column_damping] = damping.value_or(0.0);
    row = now;
  }
  /// The rebound is known.
  void file() {
    filed = *begun;
    if (*filed > *capacity) return;
    auto rows = *table;
    rows.row(*filed - 1) = (*row).transpose();
  }

  /// a/b, and whether that is a figure; 0 where it is none.
  static double divided(double a, double b, double& ratio) {
    const double quotient = b != 0.0 ? a / b : NAN;
    ratio = std::isfinite(quotient) ? quotient : 0.0;
    return std::isfinite(quotient) ? 1.0 : 0.0;
  }

  /// Holds contacts against the ideal run as soon as that has had them too.
  void compare() {
    const bool wired = ideal_contact.connected() && ideal_speed.connected() && ideal_peak.connected();
    const bool never = !wired || *ideal_contact < 0;
    while (*compared < *filed) {
      const std::int64_t next = *compared + 1;
      const bool without = never || (*inside && next == 1);
      if (!without && *ideal_contact != next - unmatched()) return;
      auto rows = *table;
      const bool kept = next <= *capacity;
      Row now = Row::Zero();
      if (kept) now = rows.row(next - 1).transpose();
      if (!kept && next == *begun) now = *row;
      if (!without) {
        now[column_ideal] = divided(now[column_after], *ideal_speed, now[column_cov]);
        now[column_forces] = divided(now[column_peak], *ideal_peak, now[column_cof]);
      }
      if (kept) rows.row(next - 1) = now.transpose();
      last = now;
      compared = next;
    }
  }

  void list(const Summary& summary, std::int64_t index, const Row& r) const {
    static constexpr const char* keys[] = {"time", "speed_before", "speed_after",  "cov",       "cof",
                                           "cor",  "peak_force",   "energy_ratio", "stiffness", "damping"};
    static constexpr const char* units[] = {"s", "m/s", "m/s", "1", "1", "1", "N", "1", "N/m", "N s/m"};
    const bool over = index <= *ended;
    const auto known = [&](int c) {
      switch (c) {
      case column_after: return over;
      case column_cov: return r[column_ideal] != 0.0;
      case column_cof: return r[column_forces] != 0.0;
      case column_cor: return r[column_rebound] != 0.0;
      case column_energy: return r[column_bodies] != 0.0;
      case column_stiffness: return over && stiffness.connected();
      case column_damping: return over && damping.connected();
      default: return true;
      }
    };
    summary.begin_row("contacts");
    summary.number("index", static_cast<double>(index));
    for (int c = 0; c <= column_damping; ++c) summary.number(keys[c], known(c) ? r[c] : NAN, units[c]);
    if (settled.connected()) summary.number("speed_released", over ? r[column_released] : NAN, "m/s");
    if (stale.connected()) summary.number("stale", r[column_stale]);
    summary.end_row();
  }

  /// Over the contacts that no lost or late cycle has touched.
  void tell_means(const Summary& summary, std::int64_t kept) const {
    static constexpr std::pair<const char*, int> means[] = {
        {"contacts_mean.cov", column_cov}, {"contacts_mean.cof", column_cof}, {"contacts_mean.cor", column_cor}};
    static constexpr int known[] = {column_ideal, column_forces, column_rebound};
    std::int64_t marked = 0;
    for (std::int64_t i = 0; i < std::min(kept, *filed); ++i) marked += (*table)(i, column_stale) != 0.0 ? 1 : 0;
    for (int m = 0; m < 3; ++m) {
      double sum = 0.0, count = 0.0;
      for (std::int64_t i = 0; i < std::min(kept, *filed); ++i) {
        if ((*table)(i, column_stale) != 0.0 || (*table)(i, known[m]) == 0.0) continue;
        sum += (*table)(i, means[m].second), count += 1.0;
      }
      summary.number(means[m].first, count > 0.0 ? sum / count : NAN);
    }
    summary.number("contacts_mean.left_out", static_cast<double>(marked));
    if (marked > 0)
      warn(summary, std::to_string(marked) + " of " + std::to_string(kept) +
                        " contacts were touched by lost or late cycles: they are marked and kept out of the means");
  }

  // from the parameters, by prepare
  Vector3 normal_ = Vector3::UnitX();
  std::int64_t settle_ = 3;
  double period_ = 0.0;
};
HILDA_BLOCK(ContactMetrics, "Figures of merit of each contact: CoV, CoF, CoR, peak force and energy.")

} // namespace
} // namespace hilda
