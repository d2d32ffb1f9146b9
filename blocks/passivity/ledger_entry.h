// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "blocks/passivity/contact_account.h"
#include <array>
#include <hilda/types.h>
#include <limits>

namespace hilda {

/// First coordinate of a port and how many: all six, one axis, or the rotation. Generalised forces and motions are six
/// numbers in W axes, force and moment, velocity and angular velocity.
struct PortCoordinates {
  int first = 0, count = 6;

  double product(const Vector6& a, const Vector6& b) const {
    double sum = 0.0;
    for (int i = first; i < first + count; ++i) sum += a[i] * b[i];
    return sum;
  }
  /// Of a generalised force: that of its force, or of its moment where it has none.
  double size(const Vector6& a) const {
    const double force = norm(a, 0);
    return force > 0.0 ? force : norm(a, 3);
  }
  /// Share of `a` along the unit vector `along`: of forces, or of moments where `along` has no force.
  double projection(const Vector6& a, const Vector6& along) const {
    const int from = norm(along, 0) > 0.0 ? 0 : 3;
    double sum = 0.0;
    for (int i = std::max(first, from); i < std::min(first + count, from + 3); ++i) sum += a[i] * along[i];
    return sum;
  }
  bool beyond(const Vector6& a, double force, double moment) const { return norm(a, 0) > force || norm(a, 3) > moment; }
  Vector6 part(const Vector6& a) const {
    Vector6 only = Vector6::Zero();
    for (int i = first; i < first + count; ++i) only[i] = a[i];
    return only;
  }

private:
  double norm(const Vector6& a, int from) const {
    double square = 0.0;
    for (int i = std::max(first, from); i < std::min(first + count, from + 3); ++i) square += a[i] * a[i];
    return std::sqrt(square);
  }
};

/// The ledger of one port: what the satellite gave up against what it should have, contact after contact. Doubles
/// alone: it is kept as a state.
struct LedgerEntry {
  using Six = std::array<double, 6>;

  double residual = 0.0;                      ///< J, given up so far less what should have been
  double open = 0.0, felt = 0.0, quiet = 0.0; ///< a contact is under way; the sensor has felt it; ticks since
  double given = 0.0, given_peak = 0.0;       ///< J, by the satellite in the contact under way
  double force_peak = 0.0;                    ///< N, that moved the satellite in it
  Six impulse{}, before{};                    ///< of it on the tool; motion at its begin
  Six felt_impulse{};                         ///< of it, by the measured force
  Six direction{}; ///< of the last contact's measured impulse on the tool, for 1 N (or N m) of it
  Six astray{};    ///< what the method's impulse holds next to that direction and is not yet taken back
  double mass = 0.0, cap = 0.0, tolerance = 0.0; ///< kg, N, J: of the last contact
  double deflecting = 0.0;                       ///< some of `astray` is left
  double share = 1.0;                            ///< of its energy that the last contact should have given back
  double contacts = 0.0, clipped = 0.0;          ///< so far; of them with a share beyond what is believed
  double share_sum = 0.0;
  double stiffness = 0.0, damping = 0.0; ///< of the last contact's wall; 0: unknown
  double sensitivity = 0.0;              ///< 1/s, relative speed a contact for a misalignment of 1 s
  double contact_force = 0.0, contact_impulse = 0.0,
         settling_share = 0.0; ///< N, N s: of the last contact; largest share of the former
  double adapted = 0.0;        ///< s, added to the alignment
  double adapted_by = 0.0, adapted_squares = 0.0, adapted_scatter = 0.0; ///< its least squares: s z, s^2, z^2
  Six felt_before{};                                                     ///< one tick ago
  ContactAccount now, kept; ///< up to this tick; up to the last one in contact

  /// A residual without a direction to settle it along waits for the next contact.
  bool settled() const { return open == 0.0 && deflecting == 0.0 && (mass == 0.0 || std::abs(residual) <= tolerance); }
};

/// What an entry is kept by.
struct LedgerRules {
  PortCoordinates port;
  PortCoordinates told_by; ///< whose forces tell a contact
  ReturnRule rule;
  double restitution = 1.0;              ///< of the first `calibration` contacts
  double calibration = 0.0, reach = 0.0; ///< how many contacts tell the alignment, by how much at most, s
  double gain = 0.2, cap = 0.2;          ///< share of the residual settled a tick; of the contact's peak force
  double force_threshold = 0.5, moment_threshold = std::numeric_limits<double>::infinity();

  static constexpr double ticks_of_quiet = 3.0;
  static constexpr double tolerance = 1e-6; ///< of the contact's energy

  /// One tick, without the settling: what moved the satellite over the last one is entered already.
  struct Tick {
    double period = 0.0;
    Vector6 motion, applied;     ///< of the tool; the method's force on it
    Vector6 felt_now;            ///< measured force on the environment, as it comes
    Vector6 felt;                ///< the same, aligned with `moved`
    Vector6 moved, moved_change; ///< over the last tick; for one second more of delay, 1/s
  };

  void follow(LedgerEntry& e, const Tick& t) const {
    const bool in_contact = beyond(t.felt), active = in_contact || beyond(t.felt_now) || beyond(t.applied);
    if (active && e.open == 0.0) begin(e, t);
    if (e.open != 0.0) enter(e, t, in_contact, active);
    keep(e.felt_before, t.felt);
  }

  /// What moved the satellite over the last tick took `energy` J from it.
  static void give(LedgerEntry& e, double energy) {
    e.residual += energy;
    e.given += energy;
  }

  /// The generalised force on the tool that takes back what went astray and settles a share of the residual. The latter
  /// lets the satellite no more than `gain` faster or slower along the contact's direction, so it never turns it back.
  Vector6 settling(const LedgerEntry& e, const Vector6& motion, double period) const {
    Vector6 force = deflection(e, period);
    const Vector6 direction = six(e.direction);
    const double speed = port.product(direction, motion);
    if (e.open != 0.0 || std::abs(e.residual) <= e.tolerance || e.contacts == 0.0 || !(speed > 0.0)) return force;
    const double most = std::min(e.cap, gain * e.mass * speed / period);
    force += std::clamp(gain * e.residual / (speed * period), -most, most) * direction;
    return force;
  }

  /// What `settling` gave at this tick.
  void note(LedgerEntry& e, const Vector6& force, double period) const {
    if (e.contact_force > 0.0) e.settling_share = std::max(e.settling_share, port.size(force) / e.contact_force);
    if (e.deflecting == 0.0 || e.open != 0.0) return;
    const Vector6 left = six(e.astray) + deflection(e, period) * period;
    keep(e.astray, left);
    if (port.size(left) <= tolerance * e.contact_impulse) e.deflecting = 0.0;
  }

private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static Vector6 six(const LedgerEntry::Six& a) { return Eigen::Map<const Vector6>(a.data()); }
  static void keep(LedgerEntry::Six& to, const Vector6& from) { Eigen::Map<Vector6>(to.data()) = from; }
  /// Takes back a share of what went astray.
  Vector6 deflection(const LedgerEntry& e, double period) const {
    if (e.open != 0.0 || e.deflecting == 0.0) return Vector6::Zero();
    const Vector6 astray = six(e.astray);
    const double share = std::min(gain, e.cap * period / std::max(port.size(astray), 1e-300));
    return -share / period * astray;
  }

  bool beyond(const Vector6& force) const { return told_by.beyond(force, force_threshold, moment_threshold); }

  void begin(LedgerEntry& e, const Tick& t) const {
    e.open = 1.0;
    e.felt = e.quiet = e.given = e.given_peak = e.force_peak = 0.0;
    e.impulse = e.felt_impulse = {};
    keep(e.before, t.motion);
    e.now = e.kept = {};
  }

  void enter(LedgerEntry& e, const Tick& t, bool in_contact, bool active) const {
    account(e, t, in_contact);
    e.given_peak = std::max(e.given_peak, e.given);
    e.force_peak = std::max(e.force_peak, port.size(t.applied));
    for (int i = 0; i < 6; ++i) {
      e.impulse[at(i)] += t.applied[i] * t.period;
      e.felt_impulse[at(i)] -= t.felt_now[i] * t.period;
    }
    e.quiet = active ? 0.0 : e.quiet + 1.0;
    if (e.quiet >= ticks_of_quiet) close(e, t);
  }

  void account(LedgerEntry& e, const Tick& t, bool in_contact) const {
    if (e.felt == 0.0) {
      if (!in_contact) return;
      e.felt = 1.0;
      const double force = port.size(t.felt);
      e.now.begin(force, force > 0.0 ? port.product(t.felt, t.moved) / (force * t.period) : 0.0);
    } else {
      const Vector6 mean = 0.5 * (t.felt + six(e.felt_before));
      e.now.add(port.product(mean, t.moved), port.size(mean), port.size(t.felt), port.product(mean, t.moved_change),
                t.period);
    }
    if (in_contact) e.kept = e.now;
  }

  void close(LedgerEntry& e, const Tick& t) const {
    e.open = 0.0;
    e.contacts += 1.0;
    aim(e, t);
    const ContactAccount::Balance balance = e.kept.balance();
    e.stiffness = balance.wall.stiffness, e.damping = balance.wall.damping;
    e.share = share(e, balance);
    if (e.share == ReturnRule::least || e.share == ReturnRule::most) e.clipped += 1.0;
    e.share_sum += e.share;
    e.residual -= (1.0 - e.share) * e.given_peak;
    e.sensitivity = balance.peak > 0.0 ? std::abs(e.kept.slope) / (2.0 * balance.peak) : 0.0;
    e.contact_force = e.force_peak;
    // What the sensor has not felt is taken back as strongly as it was given, so that it does not add up.
    if (e.force_peak > 0.0) e.cap = e.mass > 0.0 ? cap * e.force_peak : std::max(e.cap, e.force_peak);
    e.tolerance = tolerance * e.given_peak;
  }

  /// Along what the contact is to be settled: the measured impulse. What the method's impulse holds next to it (an
  /// energy controller along a force that is mostly noise, say) is not a contact's, and is taken back; all of it where
  /// the sensor has felt nothing: the moment, say, of a force that acts where the delayed robot is.
  void aim(LedgerEntry& e, const Tick& t) const {
    const Vector6 whole = port.part(six(e.impulse)), felt = port.part(six(e.felt_impulse));
    if (port.size(whole) > 0.0 && port.size(felt) <= tolerance * port.size(whole)) return disown(e, whole);
    const bool sure = port.size(felt) > 0.0 && port.projection(whole, felt / port.size(felt)) > 0.0;
    const Vector6& aimed = sure ? felt : whole;
    const double size = port.size(aimed);
    if (!(size > 0.0)) return;
    const Vector6 direction = aimed / size;
    keep(e.direction, direction);
    e.contact_impulse = port.projection(whole, direction);
    // A rest from the contact before is still to be taken back.
    const Vector6 beside = six(e.astray) + (whole - e.contact_impulse * direction);
    keep(e.astray, beside);
    e.deflecting = port.size(beside) > tolerance * e.contact_impulse ? 1.0 : 0.0;
    const double faster = port.product(direction, t.motion - six(e.before));
    e.mass = faster > 0.0 ? e.contact_impulse / faster : std::numeric_limits<double>::infinity();
  }

  void disown(LedgerEntry& e, const Vector6& whole) const {
    e.direction = {};
    e.mass = 0.0;
    const Vector6 all = six(e.astray) + whole;
    keep(e.astray, all);
    e.contact_impulse = std::max(port.size(whole), port.size(all));
    e.deflecting = e.contact_impulse > 0.0 ? 1.0 : 0.0;
  }

  double share(LedgerEntry& e, const ContactAccount::Balance& balance) const {
    if (e.contacts > calibration) return rule.share(balance, e.mass);
    // What the wall seems to keep more than it does, over what a second of alignment makes of it.
    const double known = restitution * restitution, slope = e.kept.slope;
    const double z = slope * e.adapted - (balance.taken - (1.0 - known) * balance.peak);
    e.adapted_by += slope * z;
    e.adapted_squares += slope * slope;
    e.adapted_scatter += z * z;
    if (e.adapted_squares > 0.0) e.adapted = std::clamp(e.adapted_by / e.adapted_squares, -reach, reach);
    return known;
  }
};

} // namespace hilda
