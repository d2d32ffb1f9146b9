// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct MinMax : Block {
  enum class Operation { min, max };

  Inputs<Elements<>> u{*this, "u", "*s", "@u", "Signals of one shape and unit", as_many_as("inputs")};
  Output<Elements<>> y{*this, "y", "*s", "@u", "The smallest or largest, element by element"};
  Parameter<Operation> operation{*this, "operation", "Which one"};
  Parameter<std::int64_t> inputs{*this, "inputs", "How many signals", at_least(1), by_default("2")};

  Crossing<Elements<>> lead{*this, "lead", "*s", "@u", "Of two inputs: by how much the first is the larger one"};

  void output(const Tick& t) override {
    if (t.located() && u.size() == 2) return choose_as_sides_say();
    auto out = *y;
    out = u[0];
    for (Eigen::Index k = 1; k < u.size(); ++k) {
      const auto in = u[k];
      for (Eigen::Index i = 0; i < in.size(); ++i) {
        const bool beyond = *operation == Operation::min ? in[i] < out[i] : in[i] > out[i];
        if (beyond || std::isnan(in[i])) out[i] = in[i];
      }
    }
  }

private:
  void choose_as_sides_say() {
    const auto first = u[0], second = u[1];
    auto out = *y;
    for (Eigen::Index i = 0; i < out.size(); ++i) {
      const bool larger = lead.positive(first[i] - second[i], i);
      out[i] = larger == (*operation == Operation::max) ? first[i] : second[i];
    }
  }
};

HILDA_BLOCK(MinMax, "The smallest or the largest of several signals, element by element. NaN in one of them stays NaN.")
} // namespace
