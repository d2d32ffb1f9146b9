// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Transpose : Block {
  Input<Matrix> u{*this, "u", "m n", "@u", "Matrix"};
  Output<Matrix> y{*this, "y", "n m", "@u", "Its transpose"};

  void output(const Tick&) override { y = (*u).transpose(); }
};

HILDA_BLOCK(Transpose, "Exchanges rows and columns: y_ij = u_ji.")
} // namespace
