#include <hilda/block.h>

namespace {
using namespace hilda;

struct Compare : Block {
  enum class Operation { less, less_or_equal, equal, not_equal, greater_or_equal, greater };

  Input<Elements<>> a{*this, "a", "*s", "@u", "Left side, any shape"};
  Input<Elements<>> b{
      *this, "b", "*s", "@u", "Right side, the same shape; where nothing drives it, the parameter with", optional};
  Output<Booleans> y{*this, "y", "*s", "", "True where the comparison holds, element by element"};
  Parameter<Operation> operation{*this, "operation", "a ... b"};
  Parameter<double> with{*this, "with",         "@u", "Right side for all elements where nothing drives b",
                         live,  by_default("0")};
  Parameter<double> tolerance{
      *this, "tolerance",   "@u",           "Largest difference that counts as equal, for equal and not_equal",
      live,  at_least(0.0), by_default("0")};

  void output(const Tick&) override {
    const auto left = *a;
    auto out = *y;
    for (Eigen::Index i = 0; i < left.size(); ++i) out[i] = holds(left[i], b.connected() ? (*b)[i] : *with);
  }

private:
  bool holds(double l, double r) const {
    switch (*operation) {
    case Operation::less: return l < r;
    case Operation::less_or_equal: return l <= r;
    case Operation::equal: return same(l, r);
    case Operation::not_equal: return !same(l, r);
    case Operation::greater_or_equal: return l >= r;
    case Operation::greater: break;
    }
    return l > r;
  }
  // Equal infinities have no difference.
  bool same(double l, double r) const { return l == r || std::abs(l - r) <= *tolerance; }
};

HILDA_BLOCK(Compare,
            "Compares two signals, or a signal and a number, element by element. With NaN only not_equal holds.")
} // namespace
