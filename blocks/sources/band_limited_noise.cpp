// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/difference.h>
#include <hilda/per_element.h>
#include <hilda/random.h>

#include <cmath>

namespace {
using namespace hilda;

constexpr const char* band_limited_noise_doc =
    "Normal noise with a spectrum that is the same at every sample time: flat up to bandwidth and falling beyond, as "
    "behind "
    "a filter of first order; its autocorrelation is deviation^2 exp(-bandwidth |lag|) (Ornstein and Uhlenbeck 1930, "
    "sampled exactly, from its stationary distribution on). The density that it begins with is 2 deviation^2 / "
    "bandwidth, "
    "two-sided, a Hz. The same seed and block path give the same numbers in every run.";

struct BandLimitedNoise : Block {
  Output<Elements<>> y{*this, "y", "*s", "@y", "One independent signal for each element", from_state};
  Parameter<Elements<>> deviation{
      *this, "deviation",   "*s",      "@y", "Standard deviation; its shape is that of the output",
      live,  at_least(0.0), difference};
  Parameter<double> bandwidth{
      *this, "bandwidth", "rad/s", "Where half the power is left; \"5 Hz\" is read as 10 pi rad/s", live, above(0.0)};
  Parameter<std::uint64_t> seed{
      *this, "seed", "Another seed gives other numbers; blocks of one seed differ by their path", by_default("0")};
  State<std::uint64_t> generator{*this, "generator", "State of the random generator", rng};
  State<Elements<>> level{*this, "level", "*s", "1", "The noise of variance 1"};

  void initialize(const Instance& self) override {
    Generator random(Generator::mix(self.seed(*seed)));
    auto state = *level;
    for (Eigen::Index i = 0; i < state.size(); i += 2) {
      double a = 0, b = 0;
      random.normal(a, b);
      state[i] = a;
      if (i + 1 < state.size()) state[i + 1] = b;
    }
    generator = Generator::skip(Generator::mix(self.seed(*seed)), drawn());
  }
  void prepare(const Instance& self) override {
    keep_ = std::exp(-*bandwidth * self.period());
    fresh_ = std::sqrt(-std::expm1(-2 * *bandwidth * self.period()));
  }
  void state_output(const Tick&) override {
    auto out = *y;
    for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = deviation.data()[i] * level.data()[i];
  }
  void update(const Tick&) override {
    Generator random(*generator);
    auto state = *level;
    for (Eigen::Index i = 0; i < state.size(); i += 2) {
      double a = 0, b = 0;
      random.normal(a, b);
      state[i] = keep_ * state[i] + fresh_ * a;
      if (i + 1 < state.size()) state[i + 1] = keep_ * state[i + 1] + fresh_ * b;
    }
    generator = Generator::skip(*generator, drawn());
  }

private:
  /// Numbers are drawn in pairs.
  std::uint64_t drawn() const { return static_cast<std::uint64_t>((level.size() + 1) / 2 * 2); }

  double keep_ = 0, fresh_ = 1;
};

HILDA_BLOCK(BandLimitedNoise, band_limited_noise_doc)
} // namespace
