// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/difference.h>

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
  Parameter<double> tolerance{*this,
                              "tolerance",
                              "@u",
                              "Largest difference that counts as equal, for equal and not_equal",
                              live,
                              at_least(0.0),
                              by_default("0"),
                              difference};

  Crossing<Elements<>> jump{*this, "jump", "*s", "@u", "Left side less the right one; of equality how far it is off"};

  void output(const Tick& t) override {
    const auto left = *a;
    auto out = *y;
    if (t.located())
      for (Eigen::Index i = 0; i < left.size(); ++i) out[i] = held(i, left[i], b.connected() ? (*b)[i] : *with);
    else
      for (Eigen::Index i = 0; i < left.size(); ++i) out[i] = holds(left[i], b.connected() ? (*b)[i] : *with);
  }

private:
  /// As the side of the crossing says, where it has one.
  bool held(Eigen::Index i, double l, double r) {
    const bool equality = *operation == Operation::equal || *operation == Operation::not_equal;
    const bool positive = jump.positive(equality ? std::abs(l - r) - *tolerance : l - r, i);
    if (jump.side(i) == 0 || std::isnan(l - r)) return holds(l, r);
    switch (*operation) {
    case Operation::less:
    case Operation::less_or_equal:
    case Operation::equal: return !positive;
    case Operation::not_equal:
    case Operation::greater_or_equal:
    case Operation::greater: break;
    }
    return positive;
  }
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
