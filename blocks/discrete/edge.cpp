#include <hilda/block.h>

namespace {
using namespace hilda;

struct Edge : Block {
  Input<bool> u{*this, "u", "Boolean"};
  Output<bool> y{*this, "y", "True at the tick of a change"};
  Parameter<Choice> direction{*this, "direction", "rising|falling|both", "Which changes", by_default("rising")};
  Parameter<bool> initial{*this, "initial", "u before the first tick", by_default("false")};
  State<bool> last{*this, "last", "u at the last tick"};

  void initialize(const Instance&) override { last = *initial; }
  void output(const Tick&) override {
    const bool rises = *u && !*last, falls = !*u && *last;
    y = (*direction != 1 && rises) || (*direction != 0 && falls);
  }
  void update(const Tick&) override { last = *u; }
};

HILDA_PLUGIN(Edge, "Finds the ticks at which a boolean changes.")
} // namespace
