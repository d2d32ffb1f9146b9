// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/sources/sampled_wave.h"

#include <algorithm>
#include <hilda/block.h>
#include <hilda/difference.h>

namespace {
using namespace hilda;

struct Chirp : Block {
  enum class Sweep { linear, exponential };

  Output<Elements<>> y{*this, "y", "*s", "@y", "amplitude sin(phase)", from_state};
  Parameter<Elements<>> amplitude{
      *this, "amplitude", "*s", "@y", "Half the difference of peaks; its shape is that of the output",
      live,  difference};
  Parameter<double> from{*this, "from", "rad/s", "Frequency at t = 0; \"5 Hz\" is read as 10 pi rad/s", above(0.0)};
  Parameter<double> to{*this, "to", "rad/s", "Frequency at t = duration, and kept from then on", above(0.0)};
  Parameter<double> duration{*this, "duration", "s", "How long the sweep takes", above(0.0)};
  Parameter<Sweep> sweep{*this, "sweep", "How the frequency grows over time", by_default("linear")};

  void configure(const Instance& self) override {
    check_sampled_wave(self, *to > *from ? "to" : "from", std::max(*from, *to));
  }
  void state_output(const Tick& t) override { y = std::sin(phase(t.time())) * *amplitude; }

private:
  /// Integral of the frequency, rad.
  double phase(double time) const {
    const double swept = std::min(time, *duration), rest = (time - swept) * *to;
    const double ratio = *to / *from;
    if (*sweep == Sweep::linear || ratio == 1)
      return *from * swept + (*to - *from) * swept * swept / (2 * *duration) + rest;
    const double scale = *duration / std::log(ratio);
    return *from * scale * std::expm1(swept / scale) + rest;
  }
};

HILDA_BLOCK(
    Chirp,
    "A sine wave whose frequency goes from one value to another: linear, w(t) = from + (to - from) t / duration, or "
    "exponential, w(t) = from (to / from)^(t / duration). For frequency responses.")
} // namespace
