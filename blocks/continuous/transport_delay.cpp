// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/per_element.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>

namespace {
using namespace hilda;

constexpr const char* transport_delay_doc =
    "Delays a continuous signal: y(t) = u(t - delay), at the solver's minor steps too, so that a delay in a loop of "
    "continuous blocks costs no half tick of holding. A solver with variable steps remembers u along its own curves: "
    "the error is within its tolerances, and a jump or a kink of u, also between two ticks, comes again one delay "
    "later "
    "at the very time. With fixed steps what is remembered are the values at ticks; between two of them lies a "
    "straight "
    "line (errors with the square of the tick), or a cubic through four (with its fourth power, for signals without "
    "jumps; it swings past a jump), and a jump of u at a tick arrives as a slope that begins a tick early at most. The "
    "delay is a tick or more and need not be a whole number of them; what arrives from before the start is initial. "
    "While it is disabled its time is stopped.";

enum class Between { linear, cubic };

struct TransportDelay : Block {
  static constexpr const char* remembers = "u";
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any shape", in_update};
  Output<Elements<>> y{*this, "y", "*s", "@u", "u one delay ago", from_state};
  Parameter<double> delay{*this, "delay", "s", "Dead time, a tick or more", above(0.0)};
  Parameter<Between> between{*this, "between", "What lies between two ticks, where steps are fixed",
                             by_default("linear")};
  PerElement<Dynamic> initial{*this, "initial", "@u",
                              "What arrives from before the start: one number, or one for each element",
                              by_default("0")};
  Ring<> line{*this, "line", "*s", "@u", "Values at the last ticks"};
  State<std::int64_t> count{*this, "count", "How many values have come since the start"};
  /// The bits of a time in s: a linear model about a state moves numbers, and a time is none to move.
  State<std::uint64_t> newest{*this, "newest", "When the newest one came, as bits"};
  /// Without numbers: it makes the block one that the solver asks at its minor steps.
  ContinuousState<Vector> minor{*this, "minor", "0", "1", "Nothing: the block follows time between ticks"};

  void configure(const Instance& self) override {
    initial.check(self, u.rows(), u.cols());
    period_ = self.period();
    const double ticks = *delay / period_;
    constexpr double most = 1e7;
    if (!(ticks <= most)) {
      self.report("delay", "is more than 10 million ticks; give a shorter one, or the diagram a longer period");
      return;
    }
    if (ticks < 1 - rounding) {
      self.report("delay", "is shorter than the tick, so that it would need values that are not there yet; give a tick "
                           "or more, or the diagram a shorter period");
      return;
    }
    line.resize(static_cast<std::int64_t>(std::ceil(ticks)) + 3);
  }
  void initialize(const Instance&) override {
    const auto start = [this](Eigen::Index i) { return initial[i]; };
    line.fill(Eigen::ArrayXd::NullaryExpr((*y).size(),
                                          start)); // not read before it is full, but what the line holds at rest
    count = 0;
    newest = std::bit_cast<std::uint64_t>(0.0);
    past_ = nullptr;
  }
  double past_age() const { return *delay; }
  void recall(const double* values) { past_ = values; }
  void state_output(const Tick& t) override {
    auto out = *y;
    if (past_ != nullptr) {
      for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = past_[i];
      return;
    }
    // Ticks before the newest value, which is that of this tick only after its update.
    const std::int64_t held = std::clamp<std::int64_t>(*count, 0, line.size()); // a checkpoint may say anything
    const double age = held == 0 ? 0 : age_at(t);
    const double nearest = std::round(age);
    const bool whole = std::abs(age - nearest) <= rounding;
    // The start's jump from initial lies at a tick: the solver's last stage before it is still on its near side.
    const double reach = whole ? nearest : age, oldest = static_cast<double>(held - 1);
    if (held == 0 || !std::isfinite(age) || reach > oldest || (t.minor() && reach == oldest)) {
      for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = initial[i];
      return;
    }
    if (whole || age < 0) {
      out = back(static_cast<std::int64_t>(std::max(nearest, 0.0)));
      return;
    }
    const auto younger = static_cast<std::int64_t>(std::floor(age));
    const double share = age - static_cast<double>(younger); // of the older one
    if (*between == Between::cubic && held >= 4)
      cubic(younger, share, held);
    else
      out = (1 - share) * back(younger) + share * back(younger + 1);
  }
  void update(const Tick& t) override {
    line.push(*u);
    count = std::min(*count + 1, line.size());
    newest = std::bit_cast<std::uint64_t>(t.time());
  }
  void derivative(const Tick&) override {}

private:
  static constexpr double rounding = 1e-6; ///< of a tick: what a time loses when it is counted in ticks

  /// After ticks in which it did not run, the newest value is that of the tick before, as in a Delay: its time has
  /// stopped.
  double age_at(const Tick& t) const {
    const double since = t.time() - std::bit_cast<double>(*newest);
    return (!t.minor() && since > 1.5 * period_ ? *delay - period_
                                                : std::bit_cast<double>(*newest) - t.time() + *delay) /
           period_;
  }

  Eigen::Map<const Eigen::ArrayXd> back(std::int64_t age) const { return line[line.size() - 1 - age]; }

  /// Lagrange's polynomial through four values, of which two lie on either side where they are there.
  void cubic(std::int64_t younger, double share, std::int64_t held) {
    const std::int64_t first = std::min(std::max<std::int64_t>(younger - 1, 0), held - 4);
    const double s = static_cast<double>(younger - first) + share; // from the first of the four, 0 to 3
    const double a = s, b = s - 1, c = s - 2, d = s - 3;
    *y = -b * c * d / 6 * back(first) + a * c * d / 2 * back(first + 1) - a * b * d / 2 * back(first + 2) +
         a * b * c / 6 * back(first + 3);
  }

  double period_ = 0;
  const double* past_ = nullptr; ///< u one delay ago, where the solver knows it
};

HILDA_BLOCK(TransportDelay, transport_delay_doc)
} // namespace
