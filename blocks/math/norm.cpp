// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Norm : Block {
  enum class Kind { euclidean, sum, largest };

  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape; its elements are one list"};
  Output<double> y{*this, "y", "@u", "Length"};
  Parameter<Kind> kind{*this, "kind", "sqrt(sum u_i^2), sum |u_i| or max |u_i|", by_default("euclidean")};

  void output(const Tick&) override {
    const auto in = *u;
    switch (*kind) {
    case Kind::euclidean: y = std::sqrt(in.square().sum()); break;
    case Kind::sum: y = in.abs().sum(); break;
    case Kind::largest: y = largest(in); break;
    }
  }

private:
  template <typename Signal> static double largest(const Signal& in) {
    double found = 0;
    for (Eigen::Index i = 0; i < in.size(); ++i)
      if (std::abs(in[i]) > found || std::isnan(in[i])) found = std::abs(in[i]);
    return found;
  }
};

HILDA_BLOCK(Norm, "Length of a vector: y = sqrt(u_1^2 + u_2^2 + ...), or another norm.")
} // namespace
