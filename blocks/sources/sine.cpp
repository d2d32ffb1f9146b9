// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/sources/sampled_wave.h"

#include <hilda/difference.h>
#include <hilda/per_element.h>

namespace {
using namespace hilda;

struct Sine : Block {
  Output<Elements<>> y{*this, "y", "*s", "@y", "bias + amplitude sin(frequency t + phase)", from_state};
  Parameter<Elements<>> amplitude{
      *this, "amplitude", "*s", "@y", "Half the difference of peaks; its shape is that of the output",
      live,  difference};
  PerElement<Dynamic> frequency{*this, "frequency", "rad/s",
                                "One number, or one for each element; \"5 Hz\" is read as 10 pi rad/s"};
  PerElement<Dynamic> phase{*this, "phase", "rad",
                            "Phase at t = 0: one number, or one for each element; 90 deg makes a cosine",
                            by_default("0")};
  PerElement<Dynamic> bias{*this, "bias",         "@y", "Mean value: one number, or one for each element",
                           live,  by_default("0")};

  void configure(const Instance& self) override {
    for (const auto* p : {&frequency, &phase, &bias}) p->check(self, y.rows(), y.cols());
    double fastest = 0;
    for (Eigen::Index i = 0; i < frequency.size(); ++i) fastest = std::max(fastest, std::abs(frequency[i]));
    check_sampled_wave(self, "frequency", fastest);
  }
  void state_output(const Tick& t) override {
    auto out = *y;
    for (Eigen::Index i = 0; i < out.size(); ++i)
      out[i] = bias[i] + amplitude.data()[i] * std::sin(frequency[i] * t.time() + phase[i]);
  }
};

HILDA_BLOCK(Sine, "A sine wave for each element: y = bias + amplitude sin(frequency t + phase).")
} // namespace
