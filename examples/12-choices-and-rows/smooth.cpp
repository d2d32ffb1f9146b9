#include <hilda/block.h>

namespace {
using namespace hilda;

enum class Begin { input, zero };

struct Smooth : Block {
  Input<double> u{*this, "u", "@u", "Signal", primes};
  Output<double> y{*this, "y", "@u", "The signal, smoothed"};
  Parameter<double> share{*this, "share", "1", "Of each new value", above(0.0), at_most(1.0), live};
  Parameter<Begin> begin{*this, "begin", "Where it begins: at the first value, or at 0", by_default("input")};
  State<double> last{*this, "last", "@u", "The output one tick ago"};

  void prime(const Tick&) override {
    if (*begin == Begin::input) last = *u;
  }
  void output(const Tick&) override { y = next(); }
  void update(const Tick&) override { last = *y; }
  void output_and_update(const Tick&) override {
    last = next();
    y = *last;
  }

private:
  double next() const { return *last + *share * (*u - *last); }
};
HILDA_BLOCK(Smooth, "Follows a signal by a share of its distance each tick.")
} // namespace
