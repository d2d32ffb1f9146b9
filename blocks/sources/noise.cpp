// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/difference.h>
#include <hilda/random.h>

#include <hilda/per_element.h>

namespace {
using namespace hilda;

struct Noise : Block {
  enum class Distribution { normal, uniform };

  Output<Elements<>> y{*this, "y", "*s", "@y", "One independent number for each element and tick", from_state};
  Parameter<Elements<>> deviation{
      *this, "deviation",   "*s",      "@y", "Standard deviation; its shape is that of the output",
      live,  at_least(0.0), difference};
  PerElement<Dynamic> mean{*this, "mean", "@y", "Mean: one number, or one for each element", live, by_default("0")};
  Parameter<Distribution> distribution{*this, "distribution", "uniform: mean +- sqrt(3) deviation",
                                       by_default("normal")};
  Parameter<std::uint64_t> seed{
      *this, "seed", "Another seed gives other numbers; blocks of one seed differ by their path", by_default("0")};
  State<std::uint64_t> generator{*this, "generator", "State of the random generator", rng};

  void configure(const Instance& self) override { mean.check(self, y.rows(), y.cols()); }
  void initialize(const Instance& self) override { generator = Generator::mix(self.seed(*seed)); }
  void state_output(const Tick&) override {
    Generator random(*generator);
    auto out = *y;
    for (Eigen::Index i = 0; i < out.size(); i += 2) {
      double a = 0, b = 0;
      if (*distribution == Distribution::normal) {
        random.normal(a, b);
      } else {
        a = std::sqrt(3.0) * (2 * random.uniform() - 1);
        b = std::sqrt(3.0) * (2 * random.uniform() - 1);
      }
      out[i] = mean[i] + deviation.data()[i] * a;
      if (i + 1 < out.size()) out[i + 1] = mean[i + 1] + deviation.data()[i + 1] * b;
    }
  }
  void update(const Tick&) override {
    // Numbers are drawn in pairs.
    generator = Generator::skip(*generator, static_cast<std::uint64_t>((y.size() + 1) / 2 * 2));
  }
};

HILDA_BLOCK(
    Noise,
    "White noise: independent random numbers at each sample time, normal or uniform. The same seed and block path give "
    "the same numbers in every run, and again after a reset.")
} // namespace
