#include <hilda/block.h>

namespace {
using namespace hilda;

constexpr const char* reset_integrator_doc =
    "Integrates over time, for each element, and is set to another value where a signal changes its sign: dy/dt = u, "
    "y(0) = initial, and y = restart where trigger rises above zero or falls below it. With a variable step that is at "
    "the very time, so a ball bounces as in a book; with a fixed one at the first tick behind it. A trigger that "
    "begins "
    "at zero does not fire.";

struct ResetIntegrator : Block {
  enum class Edge { rising, falling, either };

  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape", in_update};
  Input<double> trigger{*this, "trigger", "@t", "Its changes of sign set the integral", in_update};
  Input<Elements<>> restart{*this,    "restart", "*s", "@u s", "What it is set to; where nothing drives it, initial",
                            optional, in_update};
  Output<Elements<>> y{*this, "y", "*s", "@u s", "The integral", from_state};
  Parameter<Edge> reset_on{*this, "reset_on", "Which changes count", by_default("rising")};
  Parameter<double> initial{*this, "initial", "@u s", "Every element at the start", by_default("0")};
  ContinuousState<Elements<>> x{*this, "x", "*s", "@u s", "Integral"};
  State<double> side{*this, "side", "", "The trigger's sign when it was last known: -1, 0 or 1"};
  Crossing<double> edge{*this, "edge", "@t", "The trigger"};

  void initialize(const Instance&) override { (*x).setConstant(*initial); }
  void state_output(const Tick&) override { y = *x; }
  void derivative(const Tick& t) override {
    x.dot() = *u;
    if (t.located()) edge = *trigger;
  }
  void event(const Tick&, const Fired& fired) override { pass(fired.direction(edge)); }
  void update(const Tick&) override { pass(int(*trigger > 0) - int(*trigger < 0)); }

private:
  /// The trigger has this sign now.
  void pass(int now) {
    if (now == 0) return;
    const bool changed = *side * now < 0,
               wanted = *reset_on == Edge::either || (*reset_on == Edge::rising) == (now > 0);
    side = now;
    if (!changed || !wanted) return;
    if (restart.connected())
      x = *restart;
    else
      (*x).setConstant(*initial);
  }
};

HILDA_BLOCK(ResetIntegrator, reset_integrator_doc)
} // namespace
