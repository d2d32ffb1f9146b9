// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/contact/bracketed_root.h"
#include "blocks/contact/ideal_past.h"
#include "blocks/contact/undelayed_plant.h"
#include <algorithm>
#include <bit>
#include <cstdint>
#include <hilda/figures.h>
#include <hilda/flags.h>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace hilda {
namespace {

/// The same scenario without any delay, in continuous time: what the contacts of a loop are measured against.
/// Runge-Kutta of order 8 with the walls evaluated at every stage, in steps that the walls' own stiffness sets and not
/// the loop's period: 0.4 rad of the contact's oscillation. In free flight a step is as long as nothing can be
/// touched. Every change of contact and every largest force is located by root finding; error below 1e-9 a contact. It
/// runs ahead of the loop on demand: a loop that gains energy has its n-th contact before the ideal one, so `wanted`
/// says which contact's figures are to be at the outputs, and the run continues until it has had that one. Bodies that
/// recede for ever have none; neither has a flight that 100,000 steps (0.4 rad of spin each) do not end. What one
/// run of the process has come through another with the same plant takes from it, to the bit.
struct IdealRun : Block {
  static constexpr std::uint32_t type_flags = HILDA_RAISES_NO_FLAGS; // the time to the next contact may be infinite
  Input<Matrix> walls{*this,     "walls", "m 11", "", "Contact elements of the simulated environment, W axes",
                      in_update, optional};
  Input<std::int64_t> wanted{*this, "wanted", "Number of the contact that is asked for, from 1", in_update};
  Output<std::int64_t> contact{*this, "contact",
                               "Number of the contact whose figures are here; 0: none yet; -1: there will be none",
                               from_state};
  Output<double> speed_before{*this, "speed_before", "m/s", "Approach, along the struck wall's normal", from_state};
  Output<double> speed_after{*this, "speed_after", "m/s", "Rebound, against it", from_state};
  Output<double> peak_force{*this, "peak_force", "N", "Largest normal force of that contact", from_state};

  Parameter<double> service_mass{*this, "service_mass", "kg", "Of the tool's body", above(0.0)};
  Parameter<Matrix3> service_inertia{*this, "service_inertia", "kg m2", "Body axes", by_default("1"), rotational};
  Parameter<double> target_mass{*this, "target_mass", "kg", "Of the walls' body; inf for one that nothing moves",
                                above(0.0)};
  Parameter<Matrix3> target_inertia{*this, "target_inertia", "kg m2", "Body axes", by_default("1"), rotational};
  Parameter<Vector3> service_offset{*this, "service_offset", "m", "Tool frame from the centre of mass",
                                    by_default("0 0 0")};
  Parameter<Vector3> target_offset{*this, "target_offset", "m", "W from the centre of mass", by_default("0 0 0")};
  Parameter<Vector3> velocity{*this, "velocity", "m/s", "Of the tool's origin at tick 0, inertial axes"};
  Parameter<Vector3> angular_velocity{*this, "angular_velocity", "rad/s", "Of the tool's body, body axes",
                                      by_default("0 0 0")};
  Parameter<Vector3> target_velocity{*this, "target_velocity", "m/s", "Of the target's centre of mass",
                                     by_default("0 0 0")};
  Parameter<Vector3> target_angular_velocity{*this, "target_angular_velocity", "rad/s", "Body axes",
                                             by_default("0 0 0")};
  Parameter<double> horizon{*this,      "horizon",
                            "s",        "Of the ideal run's time: it is not followed any further; inf: for ever",
                            above(0.0), by_default("inf s")};

  State<Fixed<13>> service{*this, "service", "", "x, v, L, q (w x y z) of the tool's body"};
  State<Fixed<13>> target{*this, "target", "", "The same of the walls' body"};
  State<std::uint64_t> pressed{*this, "pressed", "Bit i: element i is touched"};
  State<double> elapsed{*this, "elapsed", "s", "Time of the ideal run"};
  State<std::int64_t> finished{*this, "finished", "Contacts so far"};
  State<std::int64_t> struck{*this, "struck", "First element of the contact under way"};
  State<double> approach{*this, "approach", "m/s", "Of the contact under way or the last one"};
  State<double> rebound{*this, "rebound", "m/s", "Of the last contact"};
  State<double> peak{*this, "peak", "N", "Of the contact under way or the last one"};
  State<std::int64_t> flight{*this, "flight", "Steps of the flight under way"};
  State<bool> over{*this, "over", "There will be no more contacts"};

  void configure(const Instance& instance) override { memory_.open(given(instance.period())); }

  void prepare(const Instance&) override {
    plant_.tool = model(*service_mass, *service_inertia, *service_offset, *angular_velocity);
    plant_.world = model(*target_mass, *target_inertia, *target_offset, *target_angular_velocity);
  }

  void initialize(const Instance&) override {
    plant_.tool_body.q = plant_.world_body.q = Quaternion::Identity();
    plant_.tool_body.x = -*service_offset;
    plant_.world_body.x = -*target_offset;
    plant_.tool_body.v = *velocity - (*angular_velocity).cross(*service_offset);
    plant_.world_body.v = *target_velocity;
    plant_.tool_body.L =
        std::isinf(*service_mass) ? Vector3(Vector3::Zero()) : Vector3(*service_inertia * *angular_velocity);
    plant_.world_body.L =
        std::isinf(*target_mass) ? Vector3(Vector3::Zero()) : Vector3(*target_inertia * *target_angular_velocity);
    keep();
    struck = std::int64_t{-1};
  }

  void state_output(const Tick&) override {
    const bool there = *finished > 0 && *pressed == 0;
    contact = *over ? std::int64_t{-1} : there ? *finished : std::int64_t{0};
    speed_before = there ? *approach : 0.0;
    speed_after = there ? *rebound : 0.0;
    peak_force = there ? *peak : 0.0;
  }

  void update(const Tick& t) override {
    if (!walls.connected() || *finished >= *wanted || *over) return;
    const IdealState before = state();
    if (const IdealState* after = memory_.after(before, *wanted, *walls)) return set(*after);
    recall();
    if (!is_struck())
      return t.fail("its contact under way is with a wall that is not there", static_cast<double>(*struck));
    // A bounded share of the search each tick; a contact of the loop lasts longer than the search for the ideal one.
    for (int i = 0; i < steps_a_tick && *finished < *wanted && !*over; ++i) step(t.period());
    over = *over || (*finished < *wanted && *elapsed >= *horizon);
    keep();
    memory_.note(before, *wanted, state());
  }

  void summarize(const Summary& summary) const override {
    if (!*over) return;
    summary.number("ideal_contacts", static_cast<double>(*finished));
    if (*elapsed >= *horizon) return; // as was asked for
    warn(summary, "without delay there is no contact after number " + std::to_string(*finished) +
                      ": later contacts have neither CoV nor CoF");
  }

private:
  static constexpr int steps_a_tick = 200;
  static constexpr std::int64_t longest_flight = 100000; ///< steps
  static constexpr double phase = 0.4;                   ///< rad a step
  static constexpr double to_the_bit = 1e-13;            ///< of a step: how well a change of contact is located
  static constexpr double to_the_top = 1e-7;             ///< the same where something is largest: its error is squared

  static BodyModel model(double mass, const Matrix3& inertia, const Vector3& offset, const Vector3& w) {
    BodyModel m;
    m.free = std::isinf(mass);
    m.inverse_mass = 1.0 / mass;
    if (!m.free) m.inverse_inertia = inertia.inverse();
    m.offset = offset, m.w = w;
    return m;
  }

  /// Where a step begins, and parts of it from there.
  struct Start {
    BodyState tool, world;
  };
  void go(const Start& from, double h) {
    plant_.tool_body = from.tool, plant_.world_body = from.world;
    plant_.advance(h);
  }

  void step(double T) {
    const Start from{plant_.tool_body, plant_.world_body};
    double h = step_size(T);
    if (*over) return;
    const UndelayedPlant::Seen here = plant_.seen();
    const double rise = ahead_ ? *ahead_ : slope(hardest(here));
    ahead_.reset();
    plant_.advance(h);
    if (!plant_.finite()) {
      plant_.tool_body = from.tool, plant_.world_body = from.world;
      over = true;
      return;
    }
    UndelayedPlant::Seen there = plant_.seen();
    if (plant_.pressed != 0) h = until_graze(from, here, h, there);
    const std::uint64_t now = plant_.touching(there);
    if (now != plant_.pressed) h = until_change(from, here, h, now), there = plant_.seen();
    const Pressing end = hardest(there);
    if (rise > 0.0) {
      ahead_ = slope(end);
      if (*ahead_ < 0.0) peak = std::max(*peak, highest(from, rise, h, *ahead_));
    }
    elapsed = *elapsed + h;
    peak = std::max(*peak, end.force);
    if (now == plant_.pressed) return;
    ahead_.reset();
    change(plant_.touching(there));
  }

  /// In contact a fixed phase; in free flight what the gap allows, and a little where that is nothing.
  double step_size(double T) {
    if (plant_.pressed != 0) {
      const double quickness = plant_.quickness(plant_.pressed); // 0: neither body heeds a force
      return quickness > 0.0 ? phase / quickness : T;
    }
    const double least = std::min(T, 1e-3 / plant_.quickness(~std::uint64_t{0}));
    const double longest = phase / plant_.spin();
    const double allowed = std::max(least, plant_.free_time(longest));
    flight = std::min(*flight, longest_flight) + 1;
    over = !std::isfinite(allowed) || *flight > longest_flight;
    return std::min(allowed, longest);
  }

  /// Shortens a step of `h`, behind which the plant is and looks as in `there`, where within it a free element is
  /// touched that is free again at its end: to where that one is pressed most.
  double until_graze(const Start& from, const UndelayedPlant::Seen& here, double h, UndelayedPlant::Seen& there) {
    for (int i = 0; i < plant_.element_count; ++i) {
      if ((plant_.pressed >> i & 1U) != 0) continue;
      const Touch a = touch(plant_.element(i), here.pose, here.twist);
      const Touch b = touch(plant_.element(i), there.pose, there.twist);
      if (!(a.rate > 0.0 && b.rate < 0.0)) continue;
      // No further in than where the tangents at both ends meet.
      if (a.penetration + a.rate * (b.penetration - a.penetration - b.rate * h) / (a.rate - b.rate) <= 0.0) continue;
      const Start end{plant_.tool_body, plant_.world_body};
      const double top = root(from, -a.rate, h, -b.rate, to_the_top, [&] {
        const UndelayedPlant::Seen s = plant_.seen();
        return -touch(plant_.element(i), s.pose, s.twist).rate;
      });
      if ((plant_.touching(plant_.seen()) >> i & 1U) != 0)
        h = top, there = plant_.seen();
      else
        plant_.tool_body = end.tool, plant_.world_body = end.world;
    }
    return h;
  }

  /// Brings the plant from `h`, where it is, to just behind the first change of contact, of those in `now`, and
  /// says when that is.
  double until_change(const Start& from, const UndelayedPlant::Seen& here, double h, std::uint64_t now) {
    for (std::uint64_t left = now ^ plant_.pressed; left != 0; left &= left - 1) {
      const int which = std::countr_zero(left);
      const double sign = (plant_.pressed >> which & 1U) != 0 ? -1.0 : 1.0;
      const double above = sign * margin(which, plant_.seen());
      if (above > 0.0)
        h = root(from, sign * margin(which, here), h, above, to_the_bit,
                 [&] { return sign * margin(which, plant_.seen()); });
    }
    return h;
  }

  /// Brings the plant from `high`, where it is and `value` is `above` > 0, to where that comes to be above 0, to
  /// `part` of `high`, and says when that is. At `from` it is `below`.
  template <typename Value>
  double root(const Start& from, double below, double high, double above, double part, const Value& value) {
    Start behind{plant_.tool_body, plant_.world_body};
    const double found = bracketed_root(below, high, above, part * high, [&](double h) {
      go(from, h);
      const double here = value();
      if (here > 0.0) behind = {plant_.tool_body, plant_.world_body};
      return here;
    });
    plant_.tool_body = behind.tool, plant_.world_body = behind.world;
    return found;
  }

  /// The largest force within a step of `h`, in which it turns from rising to falling.
  double highest(const Start& from, double rise, double h, double fall) {
    const Start end{plant_.tool_body, plant_.world_body};
    root(from, -rise, h, -fall, to_the_top, [&] { return -slope(hardest(plant_.seen())); });
    const double force = hardest(plant_.seen()).force;
    plant_.tool_body = end.tool, plant_.world_body = end.world;
    return force;
  }

  struct Pressing {
    int element = -1;
    double force = 0.0, rate = 0.0;
  };
  /// The pressed plane with the largest force.
  Pressing hardest(const UndelayedPlant::Seen& s) const {
    Pressing most;
    for (int i = 0; i < plant_.element_count; ++i) {
      if ((plant_.pressed >> i & 1U) == 0 || plant_.element(i).rotation) continue;
      const Touch t = touch(plant_.element(i), s.pose, s.twist);
      if (most.element < 0 || t.force > most.force) most = {i, t.force, t.rate};
    }
    return most;
  }
  /// N/s, of the largest force as the plant is; 0: nothing presses.
  double slope(const Pressing& now) const {
    if (now.element < 0) return 0.0;
    const ContactElement& e = plant_.element(now.element);
    if (e.c == 0.0) return e.k * now.rate;
    const double moment = 1e-6 / plant_.quickness(plant_.pressed);
    const UndelayedPlant::Seen s = plant_.soon(moment);
    return e.k * now.rate + e.c * (touch(e, s.pose, s.twist).rate - now.rate) / moment;
  }

  /// N or N m; above 0 where element `i` presses.
  double margin(int i, const UndelayedPlant::Seen& s) const {
    const ContactElement& e = plant_.element(i);
    const Touch t = touch(e, s.pose, s.twist);
    return e.k > 0.0 ? std::min(e.k * t.penetration, t.force) : t.penetration > 0.0 ? t.force : t.penetration;
  }

  /// Normal speed into the element that was struck first.
  double speed_into_struck() const {
    const UndelayedPlant::Seen s = plant_.seen();
    return touch(plant_.element(static_cast<int>(*struck)), s.pose, s.twist).rate;
  }

  void change(std::uint64_t now) {
    const std::uint64_t before = plant_.pressed;
    plant_.pressed = now;
    if (before == 0) {
      struck = static_cast<std::int64_t>(std::countr_zero(now));
      approach = speed_into_struck();
      peak = 0.0;
      flight = std::int64_t{0};
    }
    watch_force();
    if (now != 0) return;
    rebound = -speed_into_struck();
    finished = *finished + 1;
  }

  void watch_force() { peak = std::max(*peak, hardest(plant_.seen()).force); }

  static Fixed<13> packed(const BodyState& b) {
    Fixed<13> p;
    p << b.x, b.v, b.L, b.q.w(), b.q.vec();
    return p;
  }
  static BodyState unpacked(const Fixed<13>& p) {
    BodyState b;
    b.x = p.segment<3>(0), b.v = p.segment<3>(3), b.L = p.segment<3>(6);
    b.q = Quaternion(p[9], p[10], p[11], p[12]);
    return b;
  }
  void keep() {
    service = packed(plant_.tool_body);
    target = packed(plant_.world_body);
    pressed = plant_.pressed;
  }
  void recall() {
    ahead_.reset();
    plant_.tool_body = unpacked(*service);
    plant_.world_body = unpacked(*target);
    plant_.pressed = *pressed;
    plant_.element_count = static_cast<int>(std::min<Eigen::Index>((*walls).rows(), UndelayedPlant::most_elements));
    for (int i = 0; i < plant_.element_count; ++i)
      plant_.elements[static_cast<std::size_t>(i)] = ContactElement::from((*walls).row(i));
  }

  /// Are those that are pressed, and the one that was struck first, among the walls? A checkpoint of another hand may
  /// say anything.
  bool is_struck() const {
    const int count = plant_.element_count;
    if (count < UndelayedPlant::most_elements && plant_.pressed >> count != 0) return false;
    return plant_.pressed == 0 || (*struck >= 0 && *struck < count);
  }

  /// Every parameter, and the period.
  std::vector<std::uint64_t> given(double period) const {
    std::vector<std::uint64_t> words = {std::bit_cast<std::uint64_t>(period)};
    const auto add = [&](const auto&... parameters) {
      (each_word(parameters, [&](const auto& raw) { words.push_back(std::bit_cast<std::uint64_t>(raw)); }), ...);
    };
    add(service_mass, service_inertia, target_mass, target_inertia, service_offset, target_offset, velocity,
        angular_velocity, target_velocity, target_angular_velocity, horizon);
    return words;
  }

  IdealState state() const {
    IdealState words{};
    auto* to = words.data();
    each_state(*this, [&](const auto& raw) {
      if constexpr (sizeof raw == sizeof(std::uint64_t))
        *to++ = std::bit_cast<std::uint64_t>(raw);
      else
        *to++ = raw;
    });
    return words;
  }
  void set(const IdealState& words) {
    const auto* from = words.data();
    each_state(*this, [&](auto& raw) {
      using Raw = std::remove_reference_t<decltype(raw)>;
      if constexpr (sizeof raw == sizeof(std::uint64_t))
        raw = std::bit_cast<Raw>(*from++);
      else
        raw = static_cast<Raw>(*from++);
    });
  }
  template <typename Self, typename Take> static void each_state(Self& self, const Take& take) {
    const auto all = [&](auto&... states) { (each_word(states, take), ...); };
    all(self.service, self.target, self.pressed, self.elapsed, self.finished, self.struck, self.approach, self.rebound,
        self.peak, self.flight, self.over);
  }
  /// What a slot of fixed size has in its memory.
  template <template <typename> class Slot, typename T, typename Take>
  static void each_word(const Slot<T>& slot, const Take& take) {
    std::for_each_n(slot.data(), detail::Codec<T>::rows * detail::Codec<T>::cols, take);
  }
  template <template <typename> class Slot, typename T, typename Take>
  static void each_word(Slot<T>& slot, const Take& take) {
    std::for_each_n(slot.data(), detail::Codec<T>::rows * detail::Codec<T>::cols, take);
  }

  UndelayedPlant plant_;        // bodies from the parameters, by prepare; the rest is taken from the state in update
  std::optional<double> ahead_; ///< slope as the plant is, where the step before has asked for it
  IdealMemory memory_;
};
HILDA_PLUGIN(IdealRun, "The same scenario without delay: what the contacts of a loop are measured against.")

} // namespace
} // namespace hilda
