// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/passivity/ledger_entry.h"
#include <cstring>
#include <hilda/block.h>
#include <hilda/flags.h>
#include <hilda/frames.h>

namespace hilda {
namespace {

constexpr int entry_size = static_cast<int>(sizeof(LedgerEntry) / sizeof(double));
static_assert(std::is_trivially_copyable_v<LedgerEntry> && sizeof(LedgerEntry) == entry_size * sizeof(double));
constexpr int most_entries = 4; ///< x, y, z, rotation

/// Holds the energy of a satellite over any number of contacts, whatever method makes the force. Two accounts are kept
/// from measured signals alone: what the satellite gave up, W_B = -sum F[k-1].(V[k] + V[k-1])/2 T with the wrench that
/// moved it, which is its change of kinetic energy; and what each contact took from the tool by the measured wrench
/// and the reported motion, w_E, both at the same time (`alignment`). A contact that keeps 1 - u of what the tool
/// brought should have cost the satellite (1 - u) of what it gave up at the deepest point. The difference R is settled
/// after the contact along the measured impulse (J, H), H about W's origin, so it acts where the contact was:
/// s (J.v + H.w) T = gain R. What the method's impulse holds next to that direction is taken back first. So direction
/// of rebound, spin and momentum are as if the contact had been longer. In a contact the method's force passes
/// unchanged.
struct EnergyLedger : Block {
  static constexpr std::uint32_t type_flags = HILDA_RAISES_NO_FLAGS; // a mass may be infinite
  enum class Grouping { port, axis };

  Input<Wrench> wrench{*this, "wrench", "That the method gives: force in W axes, torque in B axes, on the tool"};
  Input<Pose> pose{*this, "pose", "Of the tool, as commanded"};
  Input<Twist> twist{*this, "twist", "Of the tool, as commanded"};
  Input<Wrench> measured{*this, "measured", "By the rig's sensor, on the tool, undelayed and unfiltered by the method"};
  Input<Pose> reported_pose{*this, "reported_pose", "Of the tool, as the rig reports it"};
  Output<Wrench> controlled{*this, "controlled", "To move the satellite with: wrench + settling"};
  Output<Wrench> settling{*this, "settling", "Added outside of contacts to settle the residual"};
  Output<Fixed<4>> residual{*this, "residual", "J",
                            "Given up so far less what should have been; grouping port: the first alone"};
  Output<bool> settled{*this, "settled", "No contact is under way and no residual is left"};
  Output<double> restitution_seen{*this, "restitution_seen", "", "Of the last contact, by the rule"};

  Parameter<Grouping> grouping{
      *this, "grouping",
      "One account of the whole port, settled along the contact's impulse; or one for each axis of "
      "W and one for rotation",
      by_default("port")};
  Parameter<ReturnRule::Kind> rule{
      *this, "rule",
      "What a contact gives back: as the environment did (u = 1 - w_E/max w_E); as a wall of the stiffness "
      "and damping that least squares find would without delay; or restitution squared",
      by_default("ratio")};
  Parameter<double> restitution{
      *this,          "restitution", "", "Of the wall: rule known, and calibration contacts", between(0.0, 1.0),
      by_default("1")};
  Parameter<double> alignment{*this,
                              "alignment",
                              "s",
                              "By which the measured force is later than the reported motion; below 0: earlier",
                              between(-1.0, 1.0),
                              by_default("0 s")};
  Parameter<double> alignment_error{*this,         "alignment_error",
                                    "s",           "Half width of what is known of it, for the bound that is printed",
                                    at_least(0.0), by_default("0 s")};
  Parameter<std::int64_t> calibration{
      *this, "calibration", "So many first contacts are of known restitution and tell the alignment, which then stays",
      at_least(0.0), by_default("0")};
  Parameter<double> threshold{*this,         "threshold",        "N", "Smallest force that counts as contact", live,
                              at_least(0.0), by_default("0.5 N")};
  Parameter<double> torque_threshold{
      *this,         "torque_threshold", "N m",     "Smallest moment that does; inf: forces alone tell", live,
      at_least(0.0), by_default("inf"),  rotational};
  Parameter<double> gain{*this,
                         "gain",
                         "",
                         "Share of the residual settled a tick",
                         live,
                         between(0.0, 1.0),
                         by_default("0.2"),
                         Flag{HILDA_ABOVE}};
  Parameter<double> cap{*this,
                        "cap",
                        "",
                        "Largest force of either kind of settling, in peak forces of the contact",
                        live,
                        above(0.0),
                        by_default("0.2")};
  Parameter<bool> enabled{*this, "enabled", "Off: the wrench passes unchanged, the accounts are kept", live,
                          by_default("on")};

  State<Fixed<entry_size, most_entries>> entries{*this, "entries", "", "The accounts, one a column"};
  State<Vector6> held{*this, "held", "",
                      "Wrench that moves the satellite over this tick, about the tool's origin, W axes"};
  State<Vector6> last_twist{*this, "last_twist", "", "One tick ago, W axes"};
  State<Pose> last_pose{*this, "last_pose", "Reported one tick ago"};
  State<bool> started{*this, "started", "The first tick is over"};
  Ring<> forces{*this, "forces", "6", "", "Measured, on the environment"};
  Ring<> motions{*this, "motions", "6", "", "Reported, over a tick"};

  void configure(const Instance& instance) override {
    const double reach = *calibration > 0 ? calibration_reach : 0.0;
    const auto ticks = [&](double late) {
      return static_cast<std::int64_t>(std::ceil(std::max(0.0, late + reach) / instance.period()));
    };
    forces.resize(ticks(-*alignment) + 1);
    motions.resize(ticks(*alignment) + 2); // one more says how the work changes with the delay
    if (*calibration > 0 && *restitution == 0.0)
      instance.report("calibration", "needs a wall that gives something back, and restitution is 0; give the wall's");
  }

  void prepare(const Instance&) override {
    const bool port = *grouping == Grouping::port;
    count_ = port ? 1 : most_entries;
    for (int i = 0; i < most_entries; ++i) {
      LedgerRules& r = rules_[static_cast<std::size_t>(i)];
      r.port = port ? PortCoordinates{0, 6} : i < 3 ? PortCoordinates{i, 1} : PortCoordinates{3, 3};
      r.told_by = i == 3 && std::isinf(*torque_threshold) ? PortCoordinates{0, 3} : r.port;
      r.rule.kind = *rule;
      r.rule.restitution = r.restitution = *restitution;
      r.calibration = static_cast<double>(*calibration);
      r.reach = calibration_reach;
      r.gain = *gain, r.cap = *cap;
      r.force_threshold = *threshold, r.moment_threshold = *torque_threshold;
    }
  }

  void initialize(const Instance&) override {
    for (int i = 0; i < most_entries; ++i) keep(i, LedgerEntry{});
  }

  void output(const Tick& t) override {
    const Motions m = motions_now();
    Vector6 more = Vector6::Zero();
    Fixed<4> left = Fixed<4>::Zero();
    bool all = true;
    for (int i = 0; i < count_; ++i) {
      const LedgerEntry e = followed(i, m, t.period());
      left[i] = e.residual;
      all = all && (*enabled ? e.settled() : e.open == 0.0);
      more += settled_by(i, e, m, t.period());
      if (i == 0) restitution_seen = std::sqrt(std::max(0.0, e.share));
    }
    const Wrench added = on_tool(more);
    settling = added;
    controlled = Wrench(*wrench + added);
    residual = left;
    settled = all;
  }

  void update(const Tick& t) override {
    const Motions m = motions_now();
    for (int i = 0; i < count_; ++i) {
      LedgerEntry e = followed(i, m, t.period());
      rules(i).note(e, settled_by(i, e, m, t.period()), t.period());
      keep(i, e);
    }
    held = in_world(*controlled);
    last_twist = m.tool;
    forces.push(m.felt.array());
    motions.push(m.moved.array());
    last_pose = *reported_pose;
    started = true;
  }

  void summarize(const Summary& summary) const override {
    double contacts = 0.0, clipped = 0.0, share = 0.0, drift = 0.0, left = 0.0, largest = 0.0;
    for (int i = 0; i < count_; ++i) {
      const LedgerEntry e = entry(i);
      contacts += e.contacts, clipped += e.clipped, share += e.share_sum, left += e.residual;
      drift = std::max(drift, e.sensitivity), largest = std::max(largest, e.settling_share);
    }
    const LedgerEntry e = entry(0);
    const double doubt = *calibration > 0 ? adapted_doubt(e) : *alignment_error;
    summary.number("ledger.contacts", contacts);
    summary.number("ledger.clipped", clipped);
    summary.number("ledger.restitution_mean", contacts > 0.0 ? std::sqrt(std::max(0.0, share / contacts)) : NAN);
    summary.number("ledger.residual", left, "J");
    summary.number("ledger.settling_peak", largest);
    summary.number("ledger.stiffness", e.stiffness > 0.0 ? e.stiffness : NAN, "N/m");
    summary.number("ledger.damping", e.stiffness > 0.0 ? e.damping : NAN, "N s/m");
    summary.number("ledger.alignment", *alignment + e.adapted, "s");
    summary.number("ledger.alignment_error", doubt, "s");
    // A contact of the duration pi/w gains or loses pi w delta/2 of its speed where force and motion are delta apart.
    summary.number("ledger.alignment_sensitivity", drift, "1/s");
    summary.number("ledger.drift_bound", *rule == ReturnRule::Kind::known ? 0.0 : drift * doubt);
  }

private:
  static constexpr double calibration_reach = 0.01; ///< s

  /// Of this tick, W axes. `tool`: about the tool's origin; the others about W's where the port is one.
  struct Motions {
    Vector6 tool, port, applied, felt, moved;
  };

  const LedgerRules& rules(int i) const { return rules_[static_cast<std::size_t>(i)]; }
  LedgerEntry entry(int i) const {
    LedgerEntry e;
    std::memcpy(static_cast<void*>(&e), entries.data() + static_cast<std::ptrdiff_t>(i) * entry_size, sizeof e);
    return e;
  }
  void keep(int i, const LedgerEntry& e) {
    std::memcpy(entries.data() + static_cast<std::ptrdiff_t>(i) * entry_size, &e, sizeof e);
  }
  static Vector6 six(const Vector3& a, const Vector3& b) {
    Vector6 both;
    both << a, b;
    return both;
  }

  /// Force, and moment about the tool's origin, W axes.
  Vector6 in_world(const Wrench& on) const { return six(on.force(), (*pose).orientation * Vector3(on.torque())); }
  bool about_origin() const { return *grouping == Grouping::port; }
  /// Moment about W's origin of what acts at `at`.
  Vector6 force_of_port(const Vector6& f, const Vector3& at) const {
    if (!about_origin()) return f;
    return six(f.head<3>(), Vector3(f.tail<3>()) + at.cross(Vector3(f.head<3>())));
  }
  Vector6 motion_of_port(const Vector6& v, const Vector3& at) const {
    if (!about_origin()) return v;
    return six(Vector3(v.head<3>()) - Vector3(v.tail<3>()).cross(at), v.tail<3>());
  }
  Wrench on_tool(const Vector6& f) const {
    const Pose tool = *pose;
    const Vector3 force = f.head<3>(), moment = f.tail<3>();
    const Vector3 here = about_origin() ? Vector3(moment - tool.position.cross(force)) : moment;
    return Wrench(force, tool.orientation.conjugate() * here);
  }

  Motions motions_now() const {
    const Pose commanded = *pose, reported = *reported_pose, before = *last_pose;
    const Twist v = *twist;
    const Wrench on = *measured;
    Motions m;
    m.tool = six(v.linear(), commanded.orientation * Vector3(v.angular()));
    m.port = motion_of_port(m.tool, commanded.position);
    m.applied = force_of_port(in_world(*wrench), commanded.position);
    m.felt = -force_of_port(six(on.force(), reported.orientation * Vector3(on.torque())), reported.position);
    m.moved = Vector6::Zero();
    if (!*started) return m;
    const Vector3 turned = rotation_log(reported.orientation * before.orientation.conjugate());
    m.moved =
        motion_of_port(six(reported.position - before.position, turned), 0.5 * (reported.position + before.position));
    return m;
  }

  /// By the satellite over the last tick, J.
  double given_up(int i, const Motions& m, double period) const {
    return -period * rules(i).port.product(*held, 0.5 * (m.tool + *last_twist));
  }

  /// The ledger with this tick in it.
  LedgerEntry followed(int i, const Motions& m, double period) const {
    const LedgerRules& r = rules(i);
    LedgerEntry e = entry(i);
    LedgerRules::give(e, given_up(i, m, period));
    const double late = (*alignment + e.adapted) / period;
    LedgerRules::Tick t;
    t.period = period;
    t.motion = m.port, t.applied = m.applied, t.felt_now = m.felt;
    t.felt = delayed(forces, m.felt, std::max(0.0, -late));
    t.moved = delayed(motions, m.moved, std::max(0.0, late));
    t.moved_change = (delayed(motions, m.moved, std::max(0.0, late) + 1.0) - t.moved) / period;
    r.follow(e, t);
    return e;
  }
  Vector6 settled_by(int i, const LedgerEntry& e, const Motions& m, double period) const {
    return *enabled ? rules(i).settling(e, m.port, period) : Vector6(Vector6::Zero());
  }

  /// `ticks` ago; a fraction lies on the straight line.
  static Vector6 delayed(const Ring<>& line, const Vector6& now, double ticks) {
    const auto whole = static_cast<std::int64_t>(ticks);
    const double part = ticks - static_cast<double>(whole);
    const Vector6 newer = whole == 0 ? now : Vector6(line[line.size() - whole].matrix());
    return part == 0.0 ? newer : Vector6((1.0 - part) * newer + part * line[line.size() - whole - 1].matrix());
  }

  /// 95 % of what the known contacts leave open of the alignment, s.
  double adapted_doubt(const LedgerEntry& e) const {
    const double n = std::min(e.contacts, static_cast<double>(*calibration));
    if (n < 2.0 || !(e.adapted_squares > 0.0) || std::abs(e.adapted) >= calibration_reach) return NAN;
    const double scatter = std::max(0.0, e.adapted_scatter - e.adapted_by * e.adapted_by / e.adapted_squares);
    return 1.96 * std::sqrt(scatter / (n - 1.0) / e.adapted_squares);
  }

  // from the parameters, by prepare
  std::array<LedgerRules, most_entries> rules_;
  int count_ = 1;
};
HILDA_BLOCK(EnergyLedger,
            "Holds a satellite's energy over any number of contacts: what it gave up against what each contact "
            "took, settled after the contact along its impulse.")

} // namespace
} // namespace hilda
