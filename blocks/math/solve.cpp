// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/math/linear_solver.h"

#include <hilda/block.h>

namespace {
using namespace hilda;

constexpr const char* solve_doc = "Solves A x = b for a square A, by Gaussian elimination with partial pivoting; b is "
                                  "a vector, or a matrix whose columns "
                                  "are solved each. A singular A fails the run. Where A has fewer rows than columns, "
                                  "arm/PseudoInverse gives the shortest "
                                  "x.";

struct Solve : Block {
  Input<Matrix> matrix{*this, "matrix", "n n", "@a", "A"};
  Input<Matrix> b{*this, "b", "n k", "@b", "Right side"};
  Output<Matrix> x{*this, "x", "n k", "@b/@a", "Solution"};
  Output<double> pivots{*this, "pivots", "1", "Smallest over largest pivot: near 1e-16 x means nothing any more"};
  Work<Matrix> room{*this, "room", "n n", "@a", "A while it is eliminated"};

  void output(const Tick& t) override {
    room = *matrix;
    x = *b;
    auto square = *room;
    auto right = *x;
    const double left = solve_in_place(square, right);
    pivots = left;
    if (left == 0) t.fail("the matrix is singular");
  }
};

struct MatrixInverse : Block {
  Input<Matrix> u{*this, "u", "n n", "@u", "Square matrix"};
  Output<Matrix> y{*this, "y", "n n", "@u^-1", "Its inverse"};
  Output<double> pivots{*this, "pivots", "1", "Smallest over largest pivot: near 1e-16 y means nothing any more"};
  Work<Matrix> room{*this, "room", "n n", "@u", "The matrix while it is eliminated"};

  void output(const Tick& t) override {
    room = *u;
    auto square = *room;
    auto right = *y;
    right.setIdentity();
    const double left = solve_in_place(square, right);
    pivots = left;
    if (left == 0) t.fail("the matrix is singular");
  }
};

HILDA_BLOCK(Solve, solve_doc)
HILDA_BLOCK(
    MatrixInverse,
    "Inverse of a square matrix, by Gaussian elimination with partial pivoting. A singular matrix fails the run. To "
    "solve A x = b, math/Solve is more exact and cheaper.")
} // namespace
