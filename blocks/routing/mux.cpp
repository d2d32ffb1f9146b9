#include <algorithm>
#include <hilda/block.h>

namespace {
using namespace hilda;

struct Mux : Block {
  Inputs<Vector> u{*this, "u", "n", "@u", "Scalars and vectors of one unit", as_many_as("inputs")};
  Output<Vector> y{*this, "y", "sum(n)", "@u", "All of them in one vector, in order"};
  Parameter<std::int64_t> inputs{*this, "inputs", "How many signals", at_least(1), by_default("2")};

  void output(const Tick&) override {
    double* to = y.data();
    for (Eigen::Index k = 0; k < u.size(); ++k) to = std::copy_n(u[k].data(), u[k].size(), to);
  }
};

HILDA_BLOCK(Mux, "Puts scalars and vectors together to one vector: y = [u[0]; u[1]; ...].")
} // namespace
