// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/contact/contact_phase.h"
#include "blocks/contact/kelvin_voigt.h"
#include "blocks/contact/resolution.h"
#include <hilda/figures.h>

namespace hilda {
namespace {

/// One row a contact with a wall of a room: wall, time, speed before and after (as commanded, along the wall's normal,
/// both positive for a rebound), CoV and CoF (rebound speed and peak force over those of the undelayed bounce, in
/// closed form), CoR, peak force, energy ratio. Each axis by itself; ContactPhase says when a contact begins and ends,
/// and ContactMetrics which speed is that after it.
struct RoomMetrics : Block {
  enum Column {
    column_wall,
    column_time,
    column_before,
    column_after,
    column_peak,
    column_number,
    column_energy,
    column_released,
    column_stale,
    column_pushes, ///< sum of the wall force over the ticks, N
    column_ended,
    column_rise, ///< ticks up to the peak of the wall force
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
  Input<bool> settled{*this, "settled", "Nothing of the last contacts is left to settle; from a ledger", in_update,
                      optional};
  Input<bool> stale{*this, "stale", "A lost or late cycle touches this tick", in_update, optional};
  Output<std::int64_t> finished{*this, "finished", "Contacts that have ended", from_state};

  Parameter<double> mass{*this, "mass", "kg", "Of the body", above(0.0)};
  Parameter<double> stiffness{*this, "stiffness", "N/m", "Of the walls, for the undelayed bounce", at_least(0.0)};
  Parameter<double> damping{*this,         "damping",      "N s/m", "Of the walls, for the undelayed bounce",
                            at_least(0.0), by_default("0")};
  Parameter<double> loop_delay{*this,         "loop_delay",     "s", "Of robot and sensor together",
                               at_least(0.0), by_default("0 s")};
  Parameter<double> threshold{
      *this, "threshold", "N", "Measured and applied force count as zero up to here", at_least(0.0), by_default("0 N")};
  Parameter<std::int64_t> contacts{*this, "contacts", "The run stops after so many on all axes together; 0: no limit",
                                   at_least(0.0), by_default("0")};
  Parameter<std::int64_t> capacity{*this, "capacity", "Rows kept for the table", at_least(1.0), by_default("1000")};

  State<Fixed<ContactPhase::packed_size, 3>> phases{*this, "phases", "", "Of the contact under way on each axis"};
  State<Vector3> row{*this, "row", "", "Row of the contact under way on each axis, from 1; 0: none"};
  State<Vector3> number{*this, "number", "", "Contacts on each axis so far"};
  State<Vector3> first_speed{*this, "first_speed", "m/s", "Speed on each axis before its first contact"};
  State<std::int64_t> begun{*this, "begun", "Contacts that have begun"};
  State<std::int64_t> ended{*this, "ended", "Contacts that have ended"};
  State<double> energy_start{*this, "energy_start", "J", "Kinetic energy at the start"};
  State<bool> started{*this, "started", "The first tick is over"};
  State<bool> diverged{*this, "diverged", "The run has ended for that"};
  State<Matrix> table{
      *this, "table", "capacity 12", "",
      "wall (1 to 3, with its sign), time, speed before, after, peak force, number on its axis, energy, "
      "speed released, whether stale, sum of forces, whether it has ended, ticks to the peak"};

  void configure(const Instance& instance) override {
    if (*contacts > *capacity) instance.report("contacts", "is larger than capacity; raise capacity to as many rows");
  }
  void prepare(const Instance& instance) override {
    period_ = instance.period();
    settle_ = static_cast<std::int64_t>(std::ceil(*loop_delay / period_ - 1e-9)) + 3;
  }
  void state_output(const Tick&) override { finished = *ended; }

  void update(const Tick& t) override {
    // They number rows of the table; a checkpoint of another hand may say anything.
    if (*ended < 0 || *ended > *begun || *begun / most_a_tick > t.index())
      return t.fail("its counts of contacts are none to which a run can come: begun", static_cast<double>(*begun));
    const double energy = kinetic_energy.value_or(0.0);
    if (!*started) energy_start = energy;
    started = true;
    const Vector3 wall = wall_force.connected() ? *wall_force : Vector3(-above_threshold(*measured));
    for (Eigen::Index i = 0; i < 3; ++i) follow(t, i, wall[i], energy);
    if (*contacts > 0 && *begun >= *contacts && are_over(*contacts))
      t.stop("the contacts that were asked for are over");
    if (*energy_start > 0.0 && energy > divergence * *energy_start) {
      diverged = true;
      t.fail("the loop diverged at this many times the kinetic energy of the start", energy / *energy_start);
    }
  }

  void summarize(const Summary& summary) const override {
    declare_table(summary, "contacts");
    Resolution resolution(period_);
    std::int64_t index = 0;
    for (std::int64_t r = 0; r < std::min(*begun, *capacity); ++r) {
      const Contact c = (*table).row(r).transpose();
      if ((c[column_ended] == 0.0 && !*diverged) || !is_wall(c[column_wall])) continue;
      list(summary, ++index, c);
      resolution.add(index, {c[column_peak], c[column_pushes], c[column_rise], c[column_before], period_ / *mass});
    }
    if (*begun > *capacity) summary.number("contacts_not_listed", static_cast<double>(*begun - *capacity));
    resolution.warn(summary);
  }

private:
  static constexpr double divergence = 1e12;        ///< of the energy at the start
  static constexpr std::int64_t most_a_tick = 1000; ///< contacts: the sample time may have been a shorter one

  /// Are the first `count` contacts over, and their rebounds known?
  bool are_over(std::int64_t count) const {
    const Vector3 rows = *row;
    return ((rows.array() == 0.0) || (rows.array() > static_cast<double>(count))).all();
  }

  /// 1 to 3, with a sign.
  static bool is_wall(double wall) { return std::abs(wall) >= 1.0 && std::abs(wall) <= 3.0; }

  bool beyond(double force) const { return std::abs(force) > *threshold; }
  Vector3 above_threshold(Vector3 force) const {
    for (Eigen::Index i = 0; i < 3; ++i)
      if (!beyond(force[i])) force[i] = 0.0;
    return force;
  }

  void follow(const Tick& t, Eigen::Index axis, double wall, double energy) {
    ContactSigns now;
    now.truth = wall_force.connected();
    now.gate = beyond((*measured)[axis]);
    now.touching = wall != 0.0;
    now.force = wall;
    now.pushed = !settled.connected() && beyond((*applied)[axis]);
    const double speed = (*velocity)[axis];
    ContactPhase contact = ContactPhase::unpacked((*phases).col(axis));
    const double side = contact.side;
    const bool crossed = contact.stage == ContactPhase::pressing; // from one wall to the other between two ticks
    const ContactPhase::Events events = contact.step(now, speed, settle_);
    auto all_phases = *phases;
    all_phases.col(axis) = contact.packed();
    phases = all_phases;
    if (events.overtaken && crossed) read(axis, -side * speed, energy, true);
    if (events.ended) end(axis);
    if (events.begun) begin(t, axis, contact.side, speed);
    if ((*row)[axis] == 0.0) return;
    if (stale.connected() && *stale) put(axis, column_stale, 1.0);
    if (contact.stage == ContactPhase::pressing) {
      press(t, axis, std::abs(wall));
      return;
    }
    const bool settling = settled.connected();
    if (contact.quiet <= 1 || settling) read(axis, -contact.side * speed, energy, contact.quiet <= 1);
    if (contact.stage == ContactPhase::released && (!settling || *settled)) leave(axis);
  }

  void begin(const Tick& t, Eigen::Index axis, double side, double speed) {
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
  void end(Eigen::Index axis) {
    ended = *ended + 1;
    put(axis, column_ended, 1.0);
  }
  /// The rebound is known.
  void leave(Eigen::Index axis) {
    Vector3 rows = *row;
    rows[axis] = 0.0;
    row = rows;
  }

  /// -1: the table has none for this contact.
  Eigen::Index row_of(Eigen::Index axis) const {
    const double r = (*row)[axis];
    return r >= 1.0 && r <= static_cast<double>(*capacity) ? static_cast<Eigen::Index>(r) - 1 : -1;
  }
  void put(Eigen::Index axis, int column, double value) {
    if (const Eigen::Index r = row_of(axis); r >= 0) (*table)(r, column) = value;
  }
  void press(const Tick& t, Eigen::Index axis, double force) {
    const Eigen::Index r = row_of(axis);
    if (r < 0) return;
    auto all = *table;
    if (force > all(r, column_peak)) {
      all(r, column_peak) = force;
      all(r, column_rise) = Resolution(period_).rise_at(t.time(), all(r, column_time));
    }
    all(r, column_pushes) += force;
  }
  void read(Eigen::Index axis, double speed, double energy, bool releasing) {
    put(axis, column_after, speed);
    if (releasing) put(axis, column_released, speed);
    put(axis, column_energy, energy);
  }

  void list(const Summary& summary, std::int64_t index, const Contact& c) const {
    static constexpr const char* walls[] = {"x-", "y-", "z-", "x+", "y+", "z+"};
    const KelvinVoigt bounce = KelvinVoigt::of(*mass, *stiffness, *damping);
    const bool known = *stiffness > 0.0 && std::isfinite(*mass), over = c[column_ended] != 0.0;
    const auto axis = static_cast<Eigen::Index>(std::abs(c[column_wall])) - 1;
    const double ideal = (*first_speed)[axis] * std::pow(bounce.restitution, c[column_number] - 1.0);
    const auto figure = [](bool there, double a, double b) { return there && b != 0.0 ? a / b : NAN; };
    const double after = over ? c[column_after] : NAN;
    summary.begin_row("contacts");
    summary.number("index", static_cast<double>(index));
    summary.text("wall", walls[axis + (c[column_wall] > 0.0 ? 3 : 0)]);
    summary.number("time", c[column_time], "s");
    summary.number("speed_before", c[column_before], "m/s");
    summary.number("speed_after", after, "m/s");
    summary.number("cov", figure(known, after, ideal * bounce.restitution));
    summary.number("cof", figure(known, c[column_peak], ideal * bounce.peak));
    summary.number("cor", figure(true, after, c[column_before]));
    summary.number("peak_force", c[column_peak], "N");
    summary.number("energy_ratio", figure(over, c[column_energy], *energy_start));
    if (settled.connected()) summary.number("speed_released", over ? c[column_released] : NAN, "m/s");
    if (stale.connected()) summary.number("stale", c[column_stale]);
    summary.end_row();
  }

  std::int64_t settle_ = 3; // from the parameters, by prepare
  double period_ = 0.0;
};
HILDA_BLOCK(RoomMetrics,
            "Figures of merit of each contact with a wall of a room: CoV, CoF, CoR, peak force and energy.")

} // namespace
} // namespace hilda
