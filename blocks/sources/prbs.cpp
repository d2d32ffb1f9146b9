// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/sources/shift_register.h"

#include <hilda/difference.h>
#include <hilda/per_element.h>
#include <hilda/random.h>

namespace {
using namespace hilda;

struct Prbs : Block {
  Output<Elements<>> y{*this, "y", "*s", "@y", "bias + amplitude or bias - amplitude", from_state};
  Parameter<Elements<>> amplitude{
      *this, "amplitude", "*s", "@y", "Half the difference of the two values; its shape is that of the output",
      live,  difference};
  PerElement<Dynamic> bias{*this, "bias",         "@y", "Mean of the two: one number, or one for each element",
                           live,  by_default("0")};
  Parameter<std::int64_t> order{*this, "order", "Length of the register: it repeats after 2^order - 1 bits",
                                between(2, 31), by_default("10")};
  Parameter<std::uint64_t> seed{*this, "seed", "Where in the sequence it begins; elements and blocks begin elsewhere",
                                by_default("0")};
  State<Integers> registers{*this, "registers", "*s", "", "Shift register of each element"};

  void configure(const Instance& self) override {
    bias.check(self, y.rows(), y.cols());
    taps_ = feedback_taps(static_cast<int>(*order));
  }
  void initialize(const Instance& self) override {
    const auto states = (std::uint64_t{1} << *order) - 1;
    auto all = *registers;
    for (Eigen::Index i = 0; i < all.size(); ++i) {
      const std::uint64_t place = Generator::mix(Generator::skip(self.seed(*seed), static_cast<std::uint64_t>(i)));
      all[i] = static_cast<std::int64_t>(1 + place % states);
    }
  }
  void state_output(const Tick&) override {
    auto out = *y;
    for (Eigen::Index i = 0; i < out.size(); ++i)
      out[i] = bias[i] + ((registers.data()[i] >> (*order - 1) & 1) != 0 ? amplitude.data()[i] : -amplitude.data()[i]);
  }
  void update(const Tick&) override {
    auto all = *registers;
    for (Eigen::Index i = 0; i < all.size(); ++i)
      all[i] = shifted(static_cast<std::uint32_t>(all[i]), static_cast<int>(*order), taps_);
  }

private:
  std::uint32_t taps_ = 0;
};

HILDA_BLOCK(Prbs,
            "A pseudo-random binary sequence of maximal length, one bit at each sample time: two values, spectrum flat "
            "up to about a third of the bit rate, mean amplitude / (2^order - 1). For identification; sample_time is "
            "the bit's duration.")
} // namespace
