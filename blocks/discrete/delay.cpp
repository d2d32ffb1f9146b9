// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/per_element.h>
#include <hilda/whole_ticks.h>

#include <cstdio>
#include <string>

namespace {
using namespace hilda;

constexpr const char* delay_doc =
    "Delays a signal by a dead time: y(t) = u(t - delay). The line starts with the value of "
    "fill at the first tick where that "
    "is wired, else with initial. A delay of 0 feeds through.";

/// A delay as whole samples and a rest of a sample.
struct Lag {
  std::int64_t whole = 0;
  double rest = 0;
};

/// "20.5"
std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

struct Delay : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape", conditional};
  Input<Elements<>> fill{
      *this,    "fill", "*s",     "@u", "What the line holds at the start: wire it to the source of u",
      optional, primes, in_update};
  Output<Elements<>> y{*this, "y", "*s", "@u", "u one delay ago", conditional};
  Parameter<double> delay{*this, "delay", "s", "Dead time; or give samples", at_least(0.0), by_default("0")};
  Parameter<std::int64_t> samples{*this, "samples", "Dead time in sample times; or give delay", between(0, 1e7),
                                  by_default("0")};
  Parameter<Fractional> fractional{
      *this, "fractional", "What becomes of a delay that is not a whole number of sample times", by_default("refuse")};
  PerElement<Dynamic> initial{*this, "initial", "@u",
                              "What the line holds at the start: one number, or one for each element", by_default("0")};
  Ring<> line{*this, "line", "*s", "@u", "The samples on their way"};
  Work<Elements<>> first{*this, "first", "*s", "@u", "Value to fill the line with"};

  /// A delay that would be rounded to nothing does not: configure() refuses it.
  bool feeds_through(const Instance& self) const override {
    if (*samples > 0) return false;
    const double ticks = *delay / self.period();
    return whole(ticks) ? std::round(ticks) == 0 : *fractional == Fractional::interpolate && ticks < 1;
  }

  void configure(const Instance& self) override {
    initial.check(self, u.rows(), u.cols());
    if (*delay > 0 && *samples > 0) self.report("samples", "is given together with delay; give one of the two");
    if (*fractional == Fractional::refuse && !whole(*delay / self.period())) {
      self.report("delay", "is " + number(*delay / self.period()) + " sample times of " + number(self.period() * 1e3) +
                               " ms; give a whole number of them, or say fractional=\"round\" or \"interpolate\"");
      return;
    }
    constexpr double longest = 1e7;
    if (*delay / self.period() > longest) {
      self.report("delay", "is more than 10 million sample times; choose a shorter delay or a longer sample_time");
      return;
    }
    lag_ = lag(self.period());
    if (*samples == 0 && lag_.whole == 0 && lag_.rest == 0 && !whole(*delay / self.period())) {
      self.report("delay", "is shorter than half a sample time of " + std::to_string(self.period()) +
                               " s and would be rounded to nothing; give 0 s, a whole sample time, or say "
                               "fractional=\"interpolate\"");
      return;
    }
    line.resize(lag_.whole + (lag_.rest > 0 ? 1 : 0));
  }
  void initialize(const Instance&) override {
    auto value = *first;
    for (Eigen::Index i = 0; i < value.size(); ++i) value[i] = initial[i];
    line.fill(value);
  }
  void prime(const Tick&) override {
    if (fill.connected()) line.fill(*fill);
  }
  void state_output(const Tick&) override {
    if (lag_.whole == 0) return;
    if (lag_.rest > 0)
      y = (1 - lag_.rest) * line[1] + lag_.rest * line[0];
    else
      y = line[0];
  }
  void output(const Tick&) override {
    if (lag_.whole > 0) return;
    if (lag_.rest > 0)
      y = (1 - lag_.rest) * *u + lag_.rest * line[0];
    else
      y = *u;
  }
  void update(const Tick&) override { line.push(*u); }

private:
  /// Times are read to within a billionth of a sample time.
  static bool whole(double ticks) { return std::abs(ticks - std::round(ticks)) <= 1e-9; }

  Lag lag(double period) const {
    if (*samples > 0) return {*samples, 0};
    const double ticks = *delay / period;
    if (whole(ticks) || *fractional != Fractional::interpolate)
      return {static_cast<std::int64_t>(std::round(ticks)), 0};
    return {static_cast<std::int64_t>(std::floor(ticks)), ticks - std::floor(ticks)};
  }

  Lag lag_;
};

HILDA_BLOCK(Delay, delay_doc)
} // namespace
