// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>
#include <hilda/difference.h>

namespace {
using namespace hilda;

constexpr const char* biquad_cascade_doc = "Sections of second order one behind the other, for each element of a "
                                           "vector, at rest at the start: the form in which "
                                           "filters of high order keep their roots. Each row of sections is b0 b1 b2 "
                                           "a0 a1 a2 for (b0 + b1 z^-1 + b2 z^-2) / (a0 + a1 "
                                           "z^-1 + a2 z^-2), as SciPy's output='sos' and MATLAB's zp2sos give it. "
                                           "States are those of the transposed direct form "
                                           "II.";

struct BiquadCascade : Block {
  Input<Vector> u{*this, "u", "n", "@u", "One signal, or a vector of them"};
  Output<Vector> y{*this, "y", "n", "@gain*@u", "Filtered signal"};
  Parameter<Matrix> sections{*this, "sections", "m 6", "1", "Rows b0 b1 b2 a0 a1 a2; each row ends with ';'"};
  Parameter<double> gain{*this, "gain", "@gain", "Factor of the whole; carries the unit", by_default("1"), difference};
  State<Matrix> w{*this, "w", "2*m n", "@u", "States of each section, two rows a section"};

  void configure(const Instance& self) override {
    for (Eigen::Index i = 0; i < sections.rows(); ++i)
      if ((*sections)(i, 3) == 0)
        self.report("sections", "has a0 = 0 in row " + std::to_string(i) +
                                    "; divide the row's numerator and denominator "
                                    "by a power of z^-1");
  }
  void output(const Tick&) override {
    const auto in = *u;
    auto out = *y;
    const auto state = *static_cast<const State<Matrix>&>(w);
    for (Eigen::Index j = 0; j < in.size(); ++j) {
      double value = in[j];
      for (Eigen::Index i = 0; i < sections.rows(); ++i) value = section(i, value, state(2 * i, j));
      out[j] = *gain * value;
    }
  }
  void update(const Tick&) override {
    const auto in = *u;
    const auto table = *sections;
    auto state = *w;
    for (Eigen::Index j = 0; j < in.size(); ++j) {
      double value = in[j];
      for (Eigen::Index i = 0; i < table.rows(); ++i) {
        const double from = value, a0 = table(i, 3);
        value = section(i, from, state(2 * i, j));
        state(2 * i, j) = (table(i, 1) * from - table(i, 4) * value) / a0 + state(2 * i + 1, j);
        state(2 * i + 1, j) = (table(i, 2) * from - table(i, 5) * value) / a0;
      }
    }
  }

private:
  double section(Eigen::Index i, double in, double state) const {
    return (*sections)(i, 0) / (*sections)(i, 3) * in + state;
  }
};

HILDA_BLOCK(BiquadCascade, biquad_cascade_doc)
} // namespace
