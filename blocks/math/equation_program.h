// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

// What equations become: steps over one row of numbers, without a branch on their shapes.

namespace equations {

/// One step: `count` results from `to` on. An operand with a stride of 0 is one number for all.
struct Step {
  enum class Code : std::uint8_t {
    load_pointer, ///< from the input whose pointer lies at `memory` in the record
    load,         ///< from `memory` in the record
    store,        ///< to `memory` in the record
    store_if,     ///< the same where the number at `b` is not 0
    add,
    subtract,
    multiply,
    divide,
    less,
    less_equal,
    equal,
    both,
    either,
    inverted,
    negated,
    choose, ///< a ? b : c
    smaller,
    larger,
    of_one,
    of_two,
    product, ///< matrices, columns one behind the other: rows x inner by inner x columns
    transposed,
    dot,
    sum,
    norm,
    cross,
    copy
  } code = Code::copy;
  std::uint32_t to = 0, a = 0, b = 0, c = 0;
  std::uint32_t a_stride = 1, b_stride = 1, c_stride = 1;
  std::uint32_t count = 1, rows = 1, inner = 1;
  std::uint64_t memory = 0;
  double (*one)(double) = nullptr;
  double (*two)(double, double) = nullptr;
};

/// Steps that belong together: those of one phase.
struct Program {
  std::vector<Step> steps;
  bool empty() const { return steps.empty(); }
};

/// Runs a program over `numbers`, which contains its constants, and the record. `time` is numbers[0].
void run(const Program& program, double* numbers, void* record, double time);

} // namespace equations
