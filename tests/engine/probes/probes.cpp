// Blocks that the tests of the loop need: they go wrong on purpose, move something, or touch a wall.

#include <hilda/block.h>

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

/// Something that moves: what it is sent must have passed the safety stage.
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

HILDA_PLUGIN(Elsewhere, "Has a state that the engine cannot reach.")
HILDA_PLUGIN(Poison, "Passes a signal on until a tick, and NaN from then on.")
HILDA_PLUGIN(PoisonState, "Has a state that becomes NaN.")
HILDA_PLUGIN(Motor, "Has an input that moves something.")
HILDA_PLUGIN(SmoothWall, "A spring wall whose contact is not located.")
HILDA_PLUGIN(Wall, "A spring wall whose contact is located.")
HILDA_PLUGIN(DampedWall, "A wall of spring and damper whose contact is located.")
HILDA_PLUGIN(Relay, "Pushes a signal to zero with a force of 1.")
HILDA_PLUGIN(CallCounter, "Counts its calls.")
} // namespace
