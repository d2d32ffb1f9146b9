#include <hilda/block.h>

#include <algorithm>

namespace {
using namespace hilda;

/// Play in a gear: the output does not move until the input has crossed the gap, y(k) = min(max(y(k-1), u - w/2), u +
/// w/2).
struct Backlash : Block {
  Input<double> u{*this, "u", "@u", "Position of the driving wheel"};
  Output<double> y{*this, "y", "@u", "Position of the driven wheel"};
  Parameter<double> width{*this, "width", "@u", "Of the gap, w", at_least(0.0), live};
  State<double> last{*this, "last", "@u", "The output one tick ago"};

  void output(const Tick&) override { y = std::clamp(*last, *u - *width / 2, *u + *width / 2); }
  void update(const Tick&) override { last = *y; }
};
HILDA_BLOCK(Backlash, "Play in a gear: does not move until its input has crossed a gap.")

} // namespace
