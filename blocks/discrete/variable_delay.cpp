// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/per_element.h>

#include <cmath>
#include <string>

namespace {
using namespace hilda;

constexpr const char* variable_delay_doc =
    "Delays a signal by a time that is a signal itself: y(t) = u(t - delay(t)), as a receiver sees a line whose length "
    "changes. Between two samples it takes the straight line, or the newest sample that is as old as the delay. A "
    "delay "
    "below shortest or above longest counts as that limit (or fails the run). Where shortest is a sample time or more, "
    "u does not feed through. A delay that changes stretches or squeezes the signal in time: the energy of a wave that "
    "passes is multiplied by 1 / (1 - d delay/dt), so a growing delay adds energy; with a gain of sqrt(1 - d delay/dt) "
    "behind it the line stays passive (Lozano, Chopra and Spong 2002), and where the delay falls faster than time "
    "passes, samples overtake each other.";

enum class Between { linear, newest };
enum class Beyond { clip, refuse };

struct VariableDelay : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape", conditional};
  Input<double> delay{*this, "delay", "s", "How old the output is"};
  Input<Elements<>> fill{
      *this,    "fill", "*s",     "@u", "What the line holds at the start: wire it to the source of u",
      optional, primes, in_update};
  Output<Elements<>> y{*this, "y", "*s", "@u", "u, one delay ago"};
  Parameter<double> longest{*this, "longest", "s", "Longest delay: decides how much is remembered", at_least(0.0)};
  Parameter<double> shortest{*this,         "shortest",
                             "s",           "Shortest delay; from a sample time on, loops may close over it",
                             at_least(0.0), by_default("0")};
  Parameter<Between> between{*this, "between", "What lies between two samples", by_default("linear")};
  Parameter<Beyond> beyond{*this, "beyond", "A delay that is shorter or longer: the limit, or a failed run",
                           by_default("clip")};
  PerElement<Dynamic> initial{*this, "initial", "@u",
                              "What the line holds at the start: one number, or one for each element", by_default("0")};
  Ring<> line{*this, "line", "*s", "@u", "The samples on their way"};
  Work<Elements<>> first{*this, "first", "*s", "@u", "Value to fill the line with"};

  bool feeds_through(const Instance& self) const override { return *shortest < self.period() * (1 - rounding); }

  void configure(const Instance& self) override {
    initial.check(self, u.rows(), u.cols());
    constexpr double most = 1e7;
    if (*longest < *shortest) self.report("longest", "is below shortest; exchange the two");
    if (!(*longest / self.period() <= most)) {
      self.report("longest", "is more than 10 million sample times; give a shorter one, or a longer sample_time");
      return;
    }
    direct_ = feeds_through(self);
    line.resize(std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(*longest / self.period() - rounding))));
  }
  void initialize(const Instance&) override {
    auto value = *first;
    for (Eigen::Index i = 0; i < value.size(); ++i) value[i] = initial[i];
    line.fill(value);
  }
  void prime(const Tick&) override {
    if (fill.connected()) line.fill(*fill);
  }
  void output(const Tick& t) override {
    if (*beyond == Beyond::refuse && (*delay < *shortest || *delay > *longest))
      t.fail("the delay is not between shortest and longest", *delay);
    // NaN passes: it must reach the engine's test.
    if (std::isnan(*delay)) {
      (*y).setConstant(*delay);
      return;
    }
    const double age = std::min(std::max(*delay, *shortest), *longest) / t.period();
    const double nearest = std::round(age);
    const bool whole = std::abs(age - nearest) <= rounding;
    const auto older = static_cast<std::int64_t>(whole ? nearest : std::ceil(age));
    if (whole || *between == Between::newest) {
      sample(older, 1, false);
      return;
    }
    const double share = static_cast<double>(older) - age; // of the younger one
    sample(older, 1 - share, false);
    sample(older - 1, share, true);
  }
  void update(const Tick&) override { line.push(*u); }

private:
  static constexpr double rounding = 1e-9; ///< of a sample time: times are read to within this

  /// Gives or adds the sample of `age` sample times ago. u itself is read only where it feeds through.
  void sample(std::int64_t age, double weight, bool add) {
    auto out = *y;
    if (age == 0 && direct_)
      put(out, *u, weight, add);
    else
      put(out, line[line.size() - std::min(std::max<std::int64_t>(age, 1), line.size())], weight, add);
  }
  template <typename Out, typename Value> static void put(Out& out, const Value& value, double weight, bool add) {
    for (Eigen::Index i = 0; i < out.size(); ++i)
      out[i] = add ? out[i] + weight * value[i] : weight == 1 ? value[i] : weight * value[i];
  }

  bool direct_ = true;
};

HILDA_BLOCK(VariableDelay, variable_delay_doc)
} // namespace
