// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Logic : Block {
  enum class Operation { and_, or_, xor_, nand, nor, not_ };

  Inputs<Booleans> u{*this, "u", "*s", "", "Booleans of one shape", as_many_as("inputs")};
  Output<Booleans> y{*this, "y", "*s", "", "Result, element by element"};
  Parameter<Operation> operation{*this, "operation", "xor: true where an odd number of inputs is"};
  Parameter<std::int64_t> inputs{*this, "inputs", "How many inputs; operation=\"not\" requires inputs=\"1\"",
                                 at_least(1), by_default("2")};

  void configure(const Instance& self) override {
    if (*operation == Operation::not_ && *inputs != 1)
      self.report("inputs", "is " + std::to_string(*inputs) + ", but not has one input; write inputs=\"1\"");
  }
  void output(const Tick&) override {
    auto out = *y;
    for (Eigen::Index i = 0; i < out.size(); ++i) {
      Eigen::Index count = 0;
      for (Eigen::Index k = 0; k < u.size(); ++k) count += u[k][i];
      out[i] = holds(count);
    }
  }

private:
  /// `count` of the inputs are true
  bool holds(Eigen::Index count) const {
    switch (*operation) {
    case Operation::and_: return count == u.size();
    case Operation::or_: return count > 0;
    case Operation::xor_: return count % 2 == 1;
    case Operation::nand: return count < u.size();
    case Operation::nor:
    case Operation::not_: break;
    }
    return count == 0;
  }
};

HILDA_BLOCK(Logic, "Combines booleans element by element: and, or, xor, nand, nor, not.")
} // namespace
