// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/difference.h>

namespace {
using namespace hilda;

constexpr const char* doc = "Multiplies a vector by a matrix: y = K u. One number stands for a multiple of the "
                            "identity, n numbers for a diagonal.";

struct MatrixGain : Block {
  Input<Vector> u{*this, "u", "n", "@u", "Vector"};
  Output<Vector> y{*this, "y", "m", "@gain*@u", "K u"};
  Parameter<Matrix> gain{*this, "gain", "m n", "@gain", "K, rows ended by ';'", live, difference};

  void output(const Tick&) override { y = *gain * *u; }
};

/// The same for a square matrix whose size is known at compile time.
template <int N> struct FixedMatrixGain : Block {
  Input<Fixed<N>> u{*this, "u", "@u", "Vector"};
  Output<Fixed<N>> y{*this, "y", "@gain*@u", "K u"};
  Parameter<Fixed<N, N>> gain{*this, "gain", "@gain", "K, rows ended by ';'", live, difference};

  void output(const Tick&) override {
    using Square = Eigen::Map<const Fixed<N, N>>;
    y = (Square(gain.data()) * *u).eval();
  }
};

HILDA_BLOCK_VARIANTS("MatrixGain", doc, MatrixGain, FixedMatrixGain<3>, FixedMatrixGain<6>)
} // namespace
