// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <hilda/block.h>
#include <hilda/difference.h>

namespace {
using namespace hilda;

constexpr const char* adaptive_time_series_doc =
    "Adaptive time series compensation of a device's delay, for each element: y = a0 u + a1 u' + a2 u'', where a0, a1 "
    "and a2 are the "
    "least squares fit of what was sent to what was measured, y = a0 m + a1 m' + a2 m'', over a moving window (Chae, "
    "Kazemibidokhti and Ricles "
    "2013). A device that is late by d has a0 = 1, a1 = d and a2 = d^2 / 2, with which it starts. Derivatives are "
    "differences of samples, the "
    "same for u and m. The fit begins when the window is full, and holds still where m moves less than threshold in "
    "it. What the window does not "
    "excite stays as it is: a ridge of 1e-6 of the excitation draws each fit to the coefficients before it.";

constexpr std::size_t terms = 3;
using Terms = std::array<double, terms>;

/// A vector that `matrix` maps to `right`: Cholesky's factors of a small positive definite matrix.
Terms solved(std::array<Terms, terms> matrix, Terms right) {
  for (std::size_t j = 0; j < terms; ++j) {
    for (std::size_t k = 0; k < j; ++k) matrix[j][j] -= matrix[j][k] * matrix[j][k];
    matrix[j][j] = std::sqrt(matrix[j][j]);
    for (std::size_t i = j + 1; i < terms; ++i) {
      for (std::size_t k = 0; k < j; ++k) matrix[i][j] -= matrix[i][k] * matrix[j][k];
      matrix[i][j] /= matrix[j][j];
    }
  }
  for (std::size_t i = 0; i < terms; ++i) {
    for (std::size_t k = 0; k < i; ++k) right[i] -= matrix[i][k] * right[k];
    right[i] /= matrix[i][i];
  }
  for (std::size_t i = terms; i-- > 0;) {
    for (std::size_t k = i + 1; k < terms; ++k) right[i] -= matrix[k][i] * right[k];
    right[i] /= matrix[i][i];
  }
  return right;
}

struct AdaptiveTimeSeries : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Where the device should be; of any shape"};
  Input<Elements<>> measured{*this, "measured", "*s", "@u", "Where it is", in_update};
  Output<Elements<>> y{*this, "y", "*s", "@u", "What to send to it"};
  Output<Elements<>> a0{*this, "a0", "*s", "1", "Factor of u", from_state};
  Output<Elements<>> a1{*this, "a1", "*s", "s", "Factor of its first derivative: the delay where a0 is 1", from_state};
  Output<Elements<>> a2{*this, "a2", "*s", "s^2", "Factor of its second derivative", from_state};

  Parameter<double> delay{*this, "delay", "s", "Of the device, for the start", at_least(0.0)};
  Parameter<double> window{*this, "window", "s", "Over which the fit goes", above(0.0), by_default("1 s")};
  Parameter<std::int64_t> every{*this, "every", "Every so many samples one enters the window and the fit is made",
                                between(1, 1e6), by_default("16")};
  Parameter<double> threshold{*this, "threshold", "@u",          "Least range of measured in the window for a fit",
                              live,  difference,  at_least(0.0), by_default("0")};
  Parameter<double> least{*this, "least_a0", "1", "Lower limit of a0", live, by_default("0.9")};
  Parameter<double> most{*this, "most_a0", "1", "Upper limit of a0", live, by_default("1.1")};
  Parameter<double> longest{
      *this,         "longest",
      "s",           "Upper limit of a1, and a2 is at most half its square; 0: three times the delay",
      at_least(0.0), by_default("0 s")};
  Parameter<double> rate0{*this, "a0_rate", "1/s", "Fastest change of a0", live, at_least(0.0), by_default("2 1/s")};
  Parameter<double> rate1{*this,         "a1_rate",         "1", "Fastest change of a1, s per s", live,
                          at_least(0.0), by_default("0.05")};
  Parameter<double> rate2{
      *this, "a2_rate", "s", "Fastest change of a2, s^2 per s", live, at_least(0.0), by_default("0.001 s")};

  State<Elements<>> c0{*this, "c0", "*s", "1", "a0"};
  State<Elements<>> c1{*this, "c1", "*s", "s", "a1"};
  State<Elements<>> c2{*this, "c2", "*s", "s^2", "a2"};
  State<Elements<>> u1{*this, "u1", "*s", "@u", "u one sample ago"};
  State<Elements<>> u2{*this, "u2", "*s", "@u", "u two samples ago"};
  State<Elements<>> m1{*this, "m1", "*s", "@u", "measured one sample ago"};
  State<Elements<>> m2{*this, "m2", "*s", "@u", "measured two samples ago"};
  State<std::int64_t> count{*this, "count", "Samples since the start"};
  State<std::int64_t> held{*this, "held", "Samples in the window"};
  Ring<> sent{*this, "sent", "*s", "@u", "y in the window"};
  Ring<> place{*this, "place", "*s", "@u", "measured in the window"};
  Ring<> speed{*this, "speed", "*s", "@u/s", "Its first derivative"};
  Ring<> bend{*this, "bend", "*s", "@u/s^2", "Its second derivative"};

  void configure(const Instance& self) override {
    if (*least > *most) self.report("least_a0", "is above most_a0; exchange the two");
    const double bound = *longest > 0 ? *longest : 3 * *delay;
    if (*delay > bound) self.report("longest", "is below delay, with which a1 starts; give a longer one");
    const double samples = std::floor(*window / (self.period() * static_cast<double>(*every)) * (1 + 1e-9));
    constexpr double fewest = 6, many = 1e6;
    if (samples < fewest || samples > many) {
      self.report("window", "has room for " + std::to_string(samples) +
                                " samples; give 6 to a million by window, every or sample_time");
      return;
    }
    for (auto* line : {&sent, &place, &speed, &bend}) line->resize(static_cast<std::int64_t>(samples));
  }
  void prepare(const Instance&) override { bound_ = *longest > 0 ? *longest : 3 * *delay; }
  void initialize(const Instance&) override {
    (*c0).setConstant(std::clamp(1.0, *least, *most));
    (*c1).setConstant(*delay);
    (*c2).setConstant(*delay * *delay / 2);
    for (auto* kept : {&u1, &u2, &m1, &m2}) (**kept).setZero();
    for (auto* line : {&sent, &place, &speed, &bend}) line->fill(Eigen::ArrayXd::Zero((*u1).size()));
    count = 0;
    held = 0;
  }
  void state_output(const Tick&) override {
    a0 = *c0;
    a1 = *c1;
    a2 = *c2;
  }
  void output(const Tick& t) override {
    const double T = t.period();
    auto out = *y;
    const auto now = *u;
    for (Eigen::Index i = 0; i < out.size(); ++i) {
      const double first = *count < 1 ? 0 : (now[i] - element(u1, i)) / T;
      const double second = *count < 2 ? 0 : (now[i] - 2 * element(u1, i) + element(u2, i)) / (T * T);
      out[i] = element(c0, i) * now[i] + element(c1, i) * first + element(c2, i) * second;
    }
  }
  void update(const Tick& t) override {
    const double T = t.period();
    if (*count >= 3 && *count % *every == 0) {
      sent.push(*y);
      place.push(*measured);
      speed.push((*measured - *m1) / T);
      bend.push((*measured - 2 * *m1 + *m2) / (T * T));
      held = std::min(*held + 1, sent.size());
      if (*held == sent.size())
        for (Eigen::Index i = 0; i < (*c0).size(); ++i) fit(i, T * static_cast<double>(*every));
    }
    u2 = *u1;
    u1 = *u;
    m2 = *m1;
    if (*count > 0) m1 = *measured; // at the first sample a device in a loop may not have its first output yet
    count = *count + 1;
  }

private:
  static double element(const State<Elements<>>& of, Eigen::Index i) { return (*of)[i]; }

  void fit(Eigen::Index i, double since) {
    Terms now{element(c0, i), element(c1, i), element(c2, i)}, right{};
    std::array<Terms, terms> matrix{};
    double low = INFINITY, high = -INFINITY;
    for (std::int64_t k = 0; k < sent.size(); ++k) {
      const Terms row{place[k][i], speed[k][i], bend[k][i]};
      const double left = sent[k][i] - now[0] * row[0] - now[1] * row[1] - now[2] * row[2];
      low = std::min(low, row[0]), high = std::max(high, row[0]);
      for (std::size_t a = 0; a < terms; ++a) {
        right[a] += row[a] * left;
        for (std::size_t b = 0; b <= a; ++b) matrix[a][b] += row[a] * row[b];
      }
    }
    if (!(high - low > *threshold)) return;
    Terms scale{};
    for (std::size_t a = 0; a < terms; ++a) scale[a] = matrix[a][a] > 0 ? 1 / std::sqrt(matrix[a][a]) : 0;
    for (std::size_t a = 0; a < terms; ++a) {
      right[a] *= scale[a];
      for (std::size_t b = 0; b <= a; ++b) matrix[a][b] *= scale[a] * scale[b];
      matrix[a][a] = 1 + ridge;
    }
    const Terms change = solved(matrix, right);
    const Terms lower{*least, 0, 0}, upper{*most, bound_, bound_ * bound_ / 2}, rate{*rate0, *rate1, *rate2};
    for (std::size_t a = 0; a < terms; ++a) {
      const double step = std::clamp(change[a] * scale[a], -rate[a] * since, rate[a] * since);
      now[a] = std::clamp(now[a] + step, lower[a], upper[a]);
    }
    (*c0)[i] = now[0], (*c1)[i] = now[1], (*c2)[i] = now[2];
  }

  static constexpr double ridge = 1e-6;
  double bound_ = 0; // from the parameters, by prepare
};

HILDA_BLOCK(AdaptiveTimeSeries, adaptive_time_series_doc)
} // namespace
