// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct MatrixProduct : Block {
  Input<Matrix> a{*this, "a", "m k", "@a", "Left factor"};
  Input<Matrix> b{*this, "b", "k n", "@b", "Right factor; a vector is a matrix of one column"};
  Output<Matrix> y{*this, "y", "m n", "@a*@b", "a b"};

  // lazyProduct: Eigen's blocked product of large matrices would take memory from the heap.
  void output(const Tick&) override { y = (*a).lazyProduct(*b); }
};

HILDA_BLOCK(MatrixProduct, "Multiplies two matrices, or a matrix and a vector: y = a b.")
} // namespace
