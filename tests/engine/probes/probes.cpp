// SPDX-License-Identifier: BSD-3-Clause
// Blocks that the tests of the loop need: they go wrong on purpose, move something, or touch a wall.

#include <algorithm>
#include <cfenv>
#include <cmath>
#include <hilda/flags.h>
#include <hilda/lane_block.h>
#include <hilda/per_element.h>
#include <stdexcept>

namespace {
using namespace hilda;

/// Not a number from one tick on.
struct Poison : Block {
  Input<double> u{*this, "u", "@u", "Signal"};
  Output<double> y{*this, "y", "@u", "The signal, and NaN from a tick on"};
  Parameter<std::int64_t> from{*this, "from", "First bad tick", by_default("1000000")};
  void output(const Tick& t) override { y = t.index() >= *from ? NAN : *u; }
};

/// The same inside: its state goes bad, its output does not show it.
struct PoisonState : Block {
  Output<Vector3> y{*this, "y", "", "Nothing", from_state};
  State<Vector3> x{*this, "x", "", "Goes bad"};
  Parameter<std::int64_t> from{*this, "from", "First bad tick", by_default("1000000")};
  void state_output(const Tick&) override { y = Vector3::Zero(); }
  void update(const Tick& t) override {
    if (t.index() >= *from) x = Vector3(0, NAN, 0);
  }
};

enum class Spoiling {
  // marked by the processor
  zero_by_zero,
  difference,
  root,
  pole,
  overflow,
  // finite: what comes next makes of it what it can
  huge,
  zero,
  // marked, and nothing is wrong
  false_alarm,
  // without a mark
  literal,
  infinity,
  cleared,
  restored
};

/// What `u` becomes. It is computed when it is called.
double spoilt(Spoiling how, double u) {
  const volatile double zero = 0, one = 1, large = 1e308;
  const double sign = u < 0 ? -1 : 1;
  switch (how) {
  case Spoiling::zero_by_zero: return zero / zero;
  case Spoiling::difference: {
    const double infinite = one / zero;
    return infinite - infinite;
  }
  case Spoiling::root: return std::sqrt(-one);
  case Spoiling::pole: return sign / zero;
  case Spoiling::overflow: return sign * large * large;
  case Spoiling::huge: return sign * large;
  case Spoiling::zero: return zero;
  case Spoiling::false_alarm: {
    const volatile double none = NAN;
    const volatile bool below = u < none;
    return below ? 0 : u;
  }
  case Spoiling::literal: return NAN;
  case Spoiling::infinity: return sign * INFINITY;
  case Spoiling::cleared: {
    const volatile double spoilt = zero / zero;
    std::feclearexcept(FE_ALL_EXCEPT);
    return spoilt;
  }
  case Spoiling::restored: {
    std::fenv_t before;
    std::fegetenv(&before);
    const volatile double spoilt = zero / zero;
    std::fesetenv(&before);
    return spoilt;
  }
  }
  return u;
}

/// Passes a signal on until a tick; from then on it spoils one element, of its output or of a hidden state.
/// If its parameter says so, it clears the processor's marks in each of its calls, also those of other blocks.
template <typename Own> struct SpoilingBlock : Block {
  Input<Elements<Dynamic>> u{*this, "u", "*s", "@u", "Signal"};
  Output<Elements<Dynamic>> y{*this, "y", "*s", "@u", "The signal"};
  State<Elements<Dynamic>> x{*this, "x", "*s", "@u", "The signal at the last tick"};
  Parameter<Spoiling> how{*this, "how", "How", by_default("literal")};
  Parameter<bool> inside{*this, "inside", "In the state", by_default("false")};
  Parameter<bool> clears{*this, "clears", "Clears the processor's marks", by_default("false")};
  Parameter<std::int64_t> element{*this, "element", "Which one, counted around", by_default("0")};
  Parameter<std::int64_t> from{*this, "from", "First bad tick", by_default("1000000")};
  Parameter<std::int64_t> until{*this, "until", "First good tick after it", by_default("1000000")};

  bool now(const Tick& t) const { return t.index() >= *from && t.index() < *until; }
  template <typename View> void pass(const Tick& t, View to, bool here) const {
    const auto in = *u;
    for (Eigen::Index i = 0; i < to.size(); ++i) to[i] = in[i];
    if (!here || !now(t) || to.size() == 0) return;
    const auto which = static_cast<Eigen::Index>(*element) % to.size();
    to[which] = spoilt(*how, in[which]);
  }
  void output(const Tick& t) override {
    if (*clears) std::feclearexcept(FE_ALL_EXCEPT);
    pass(t, *y, !*inside);
  }
  void update(const Tick& t) override {
    if (*clears) std::feclearexcept(FE_ALL_EXCEPT);
    pass(t, *x, *inside);
  }
};
struct Spoil : SpoilingBlock<Spoil> {};
struct FlaggedSpoil : SpoilingBlock<FlaggedSpoil> {
  static constexpr std::uint32_t type_flags =
      HILDA_RAISES_FLAGS; // of the ways that are marked, and where it clears nothing
};

/// A device that measures 1 until a tick, and NaN from then on.
struct SpoiltDevice : Block {
  Output<Elements<Dynamic>> y{*this, "y", "*s", "@u", "What it measures", measurement};
  Parameter<std::int64_t> from{*this, "from", "First bad tick", by_default("1000000")};
  static constexpr std::uint32_t type_flags = HILDA_RAISES_FLAGS; // the engine knows better: it acquires
  void acquire(const Tick& t) override {
    auto out = *y;
    for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = t.index() >= *from ? NAN : 1.0;
  }
};

/// Ends the run as planned while outputs are computed; sinks/Stop does so in its update.
struct StopsInOutput : Block {
  Output<double> y{*this, "y", "", "Nothing", from_state};
  Parameter<std::int64_t> from{*this, "from", "Last tick", by_default("1000000")};
  void state_output(const Tick& t) override {
    y = 0;
    if (t.index() >= *from) t.stop("stops in output", 7);
  }
};

/// Says that the run fails, when its outputs of the tick have been seen.
struct FailsInUpdate : Block {
  Output<double> y{*this, "y", "", "Nothing", from_state};
  Parameter<std::int64_t> from{*this, "from", "First bad tick", by_default("1000000")};
  void state_output(const Tick&) override { y = 0; }
  void update(const Tick& t) override {
    if (t.index() >= *from) t.fail("fails in update", 7);
  }
};

/// As wide as the number that it gets about the run.
struct AsTold : Block {
  Output<Vector> y{*this, "y", "n", "", "2 elements in simulation, 3 on hardware", from_state};
  void infer(const Instance& self, const Inference& says) override { says.dimension("n", self.simulated() ? 2 : 3); }
  void state_output(const Tick&) override { y = Vector::Zero(y.size()); }
};

/// Something that moves: what it is sent must have passed the safety stage.
struct Store : Block {
  Parameter<double> energy{*this, "energy", "J", "What it holds"};
  double stored_energy() const override { return *energy; }
};

struct Motor : Block {
  Input<double> command{*this, "command", "m", "Where to go", actuation};
  Output<double> sent{*this, "sent", "m", "What came through"};
  void output(const Tick&) override { sent = *command; }
};

/// A wall with a spring at x = 0. `depth` may be a crossing or not.
struct SmoothWall : Block {
  Input<double> x{*this, "x", "m", "Position"};
  Output<double> depth{*this, "depth", "m", "How deep inside"};
  Output<double> force{*this, "force", "N", "Of the wall"};
  Parameter<double> stiffness{*this, "stiffness", "N/m", "Of the spring"};
  void output(const Tick&) override {
    depth = *x;
    force = *x > 0 ? -*stiffness * *x : 0.0;
  }
};
struct Wall : Block {
  Input<double> x{*this, "x", "m", "Position"};
  Output<double> depth{*this, "depth", "m", "How deep inside", crossing};
  Output<double> force{*this, "force", "N", "Of the wall"};
  Parameter<double> stiffness{*this, "stiffness", "N/m", "Of the spring"};
  void output(const Tick&) override {
    depth = *x;
    force = *x > 0 ? -*stiffness * *x : 0.0;
  }
};

/// A wall with a damper as well: its force jumps at the surface.
struct DampedWall : Block {
  Input<double> x{*this, "x", "m", "Position"};
  Input<double> v{*this, "v", "m/s", "Speed"};
  Output<double> depth{*this, "depth", "m", "How deep inside", crossing};
  Output<double> force{*this, "force", "N", "Of the wall"};
  Parameter<double> stiffness{*this, "stiffness", "N/m", "Of the spring"};
  Parameter<double> damping{*this, "damping", "N s/m", "Of the damper"};
  void output(const Tick&) override {
    depth = *x;
    force = *x > 0 ? -*stiffness * *x - *damping * *v : 0.0;
  }
};

/// A ball that bounces at events alone.
struct Ball : Block {
  Output<double> height{*this, "height", "m", "Above the floor", from_state};
  Parameter<double> keeps{*this, "keeps", "1", "Of its speed, at each bounce"};
  ContinuousState<double> x{*this, "x", "m", "Height"};
  ContinuousState<double> v{*this, "v", "m/s", "Speed"};
  Crossing<double> floor{*this, "floor", "m", "Height"};
  void initialize(const Instance&) override { x = 1.0; }
  void state_output(const Tick&) override { height = *x; }
  void derivative(const Tick& t) override {
    if (t.located()) floor.positive(*x);
    x.dot() = *v;
    v.dot() = -9.81;
  }
  void event(const Tick&, const Fired& fired) override {
    if (fired.direction(floor) < 0) v = -*keeps * *v;
  }
};

/// The same where nothing is located, too: at ticks.
struct TickBall : Ball {
  void update(const Tick&) override {
    if (*x < 0 && *v < 0) v = -*keeps * *v;
  }
};

/// Pushes back towards zero with all its might: in a loop its sign changes without end.
struct Relay : Block {
  Input<double> x{*this, "x", "", "Signal"};
  Output<double> side{*this, "side", "", "The same", crossing};
  Output<double> y{*this, "y", "1/s", "Against it"};
  void output(const Tick&) override {
    side = *x;
    y = *x > 0 ? -1.0 : 1.0;
  }
};

/// Gives its input, and twice that from a level on: it switches at ticks or at events.
struct MovingSwitch : Block {
  Input<double> u{*this, "u", "@u", "Signal"};
  Output<double> y{*this, "y", "@u", "The same, or twice that"};
  State<bool> on{*this, "on", "Whether it has been above 100"};
  Crossing<double> above{*this, "above", "@u", "How far above 100"};
  void output(const Tick& t) override {
    if (t.located()) above.positive(*u - 100);
    y = *on || *u > 100 ? 2 * *u : *u;
  }
  void update(const Tick&) override { on = *on || *u > 100; }
  void event(const Tick&, const Fired&) override { on = true; }
};

/// Throws where a signal is between 0.51 and 0.54: a step from 0.5 to 0.6 passes that by.
struct Abyss : Block {
  Input<double> u{*this, "u", "@u", "Signal"};
  Output<double> y{*this, "y", "@u", "The same"};
  void output(const Tick&) override {
    if (*u > 0.51 && *u < 0.54) throw std::runtime_error("here is nothing");
    y = *u;
  }
};

/// Counts the calls of its output at minor steps and at ticks: a discrete block sees none of the former.
struct CallCounter : Block {
  Input<double> u{*this, "u", "@u", "Signal"};
  Output<double> calls{*this, "calls", "", "Calls of output at ticks"};
  Output<double> minor_calls{*this, "minor_calls", "", "Calls of output between ticks"};
  void output(const Tick& t) override {
    if (t.minor())
      minor_calls = *minor_calls + 1;
    else
      calls = *calls + 1;
  }
};

/// Keeps its state where the engine cannot reach it.
struct Elsewhere : Block {
  static constexpr std::uint32_t type_flags = HILDA_EXTERNAL_STATE;
  Input<double> u{*this, "u", "@u", "Signal"};
  Output<double> y{*this, "y", "@u", "The same"};
  void output(const Tick&) override { y = *u; }
};

/// Outputs that a test writes itself before each tick.
struct Hand : Block {
  Output<Pose> pose{*this, "pose", "Pose"};
  Output<Twist> twist{*this, "twist", "Twist"};
  Output<Wrench> wrench{*this, "wrench", "Wrench"};
  Output<Vector3> vector{*this, "vector", "", "Vector"};
  void output(const Tick&) override {}
};

/// A device that paces the loop. Samples sent to it can be read at `wire.*`, as often as `emits` says.
struct Device : Block {
  Input<Pose> pose{*this, "pose", "Where to go", actuation, optional};
  Input<Twist> twist{*this, "twist", "How fast", actuation, optional};
  Input<Wrench> wrench{*this, "wrench", "How strongly", actuation, optional};
  Input<Vector3> vector{*this, "vector", "", "Anything", actuation, optional};
  Output<Pose> setpoint{*this, "setpoint", "Where it is", measurement};
  Output<std::int64_t> acquired{*this, "acquired", "Calls of acquire", measurement};
  Output<std::int64_t> emits{*this, "emits", "Calls of emit"};
  Output<Pose> wire_pose{*this, "wire_pose", "What was sent"};
  Output<Twist> wire_twist{*this, "wire_twist", "What was sent"};
  Output<Wrench> wire_wrench{*this, "wire_wrench", "What was sent"};
  Output<Vector3> wire_vector{*this, "wire_vector", "", "What was sent"};
  Output<Pose> sent{*this, "sent", "What came through"};
  Output<double> last_time{*this, "last_time", "s", "Of the last acquire"};
  Parameter<std::int64_t> known_from{*this, "known_from", "Acquires before it knows where it is", by_default("0")};
  Parameter<std::int64_t> broken_from{*this, "broken_from", "Tick from which it fails", by_default("1000000")};
  Parameter<Vector3> place{*this, "place", "m", "Where it is at first", by_default("0 0 0")};
  Parameter<bool> nowhere{*this, "nowhere", "Says that it rests where nothing can", by_default("false")};
  Parameter<bool> paces{*this, "paces", "Its cycle is the tick", by_default("true")};

  double cycle_period() const override { return *paces ? 1e-3 : 0; }
  Cycle await_cycle(std::int64_t) override { return {}; }
  bool rest(std::string_view input, double* value) const override {
    if (*acquired <= *known_from) return false;
    std::fill_n(value, input == "pose" ? 7 : input == "vector" ? 3 : 6, 0.0);
    if (input != "pose") return true;
    const Vector3 p = (*setpoint).position;
    value[0] = p.x(), value[1] = p.y(), value[2] = p.z(), value[3] = *nowhere ? 0 : 1;
    return true;
  }
  void acquire(const Tick& t) override {
    acquired = *acquired + 1;
    last_time = t.time();
    setpoint = Pose{*place, Quaternion::Identity()};
  }
  void output(const Tick& t) override {
    if (pose.connected()) sent = *pose;
    if (t.index() >= *broken_from) t.fail("the device has a fault", 7);
  }
  void emit(const Tick&) override {
    emits = *emits + 1;
    if (pose.connected()) wire_pose = *pose;
    if (twist.connected()) wire_twist = *twist;
    if (wrench.connected()) wire_wrench = *wrench;
    if (vector.connected()) wire_vector = *vector;
  }
};

/// A device that cannot report its position.
struct MuteDevice : Block {
  Input<Pose> pose{*this, "pose", "Where to go", actuation};
  void emit(const Tick&) override {}
};

/// Has numbers whose room lies between them where blocks lie side by side, and one layout for those that lie alone.
template <int Side> struct Spread : LaneBlock<Side> {
  template <typename M> using Place = Spaced<M, Side>;
  Place<Input<double>> u{*this, "u", "1", "Signal", in_update};
  Place<Output<double>> y{*this, "y", "1", "k x", from_state};
  SpacedNumbers<HILDA_PARAMETER, 3, 1, Side> k{*this, "k", "1", "Of each number in the sum", live};
  SpacedNumbers<HILDA_STATE, 3, 1, Side> x{*this, "x", "1", "u, and what it was one and two ticks ago"};

  void initialize(const Instance&) override {
    for (int i = 0; i < 3; ++i) x[i] = 1.0;
  }
  void state_output(const Tick&) override { y = k[0] * x[0] + k[1] * x[1] + k[2] * x[2]; }
  void update(const Tick&) override {
    x[2] = double{x[1]};
    x[1] = double{x[0]};
    x[0] = *u;
  }
  static void state_output_lanes(Row<Spread> groups) requires(Side > 1) {
    for (Spread& first : groups) {
      Pack<Side> sum{};
      for (int i = 0; i < 3; ++i) {
        Pack<Side> factor, number;
        take(factor, first.k[i]);
        take(number, first.x[i]);
        sum = i == 0 ? factor * number : sum + factor * number;
      }
      put(first.y, sum);
    }
  }
};

HILDA_BLOCK_WITH_LANES("Spread", "Sums what was, two or four of them at once.", (Spread<4>, Spread<2>), Spread<1>)
HILDA_BLOCK(Hand, "Has outputs that others write.")
HILDA_BLOCK(Device, "A device that paces the loop and shows what it was sent.")
HILDA_BLOCK(MuteDevice, "A device that cannot report where it is.")
HILDA_BLOCK(Elsewhere, "Has a state that the engine cannot reach.")
HILDA_BLOCK(Poison, "Passes a signal on until a tick, and NaN from then on.")
HILDA_BLOCK(Spoil, "Passes a signal on until a tick, and spoils it from then on.")
HILDA_BLOCK(FlaggedSpoil, "The same, as one that flags what it does.")
HILDA_BLOCK(SpoiltDevice, "Measures 1 until a tick, and NaN from then on.")
HILDA_BLOCK(PoisonState, "Has a state that becomes NaN.")
HILDA_BLOCK(StopsInOutput, "Ends the run as planned in its output.")
HILDA_BLOCK(FailsInUpdate, "Ends the run as failed in its update.")
HILDA_BLOCK(AsTold, "Has outputs of another shape in simulation and on hardware.")
HILDA_BLOCK(Store, "Holds energy.")
HILDA_BLOCK(Motor, "Has an input that moves something.")
HILDA_BLOCK(SmoothWall, "A spring wall whose contact is not located.")
HILDA_BLOCK(Wall, "A spring wall whose contact is located.")
HILDA_BLOCK(DampedWall, "A wall of spring and damper whose contact is located.")
HILDA_BLOCK(Relay, "Pushes a signal to zero with a force of 1.")
HILDA_BLOCK(Ball, "Bounces at events.")
HILDA_BLOCK(TickBall, "Bounces at events, or at ticks.")
HILDA_BLOCK(MovingSwitch, "Gives its input, and twice that from a level on.")
HILDA_BLOCK(Abyss, "Throws where a signal is in a small range.")
HILDA_BLOCK(CallCounter, "Counts its calls.")
} // namespace
