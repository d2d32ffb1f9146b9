// SPDX-License-Identifier: BSD-3-Clause
#include "starts_at.h"

#include <hilda/lane_block.h>
#include <hilda/per_element.h>

namespace {
using namespace hilda;

constexpr const char* pid_doc =
    "PID controller in parallel form, for each element, with e = setpoint - measured and "
    "sample time T: command = kp e + I + D, "
    "within the limits. I(k+1) = I(k) + ki T e(k); D(k) = (tau D(k-1) + kd (e(k) - e(k-1))) / "
    "(tau + T), where e may leave "
    "out the setpoint. At a limit the integral stops (clamp), or is led back: I(k+1) += "
    "(limited - unlimited) T / "
    "tracking_time, where ki is not 0. The first D is 0, unless it starts_at zero.";

enum class AntiWindup { clamp, back_calculation, none };
enum class DerivativeOf { error, measured };

/// `Side`: so many with one element each lie side by side.
template <int N, int Side = 1> struct Pid : LaneBlock<Side> {
  template <typename M> using Place = Spaced<M, Side>;
  Place<Input<Elements<N>>> setpoint{
      *this, "setpoint", "*s", "@e", "Desired value, any shape; or an error, with measured left open", primes};
  Place<Input<Elements<N>>> measured{
      *this,    "measured", "*s",  "@e", "Actual value; where nothing drives it, setpoint counts as the error",
      optional, expected,   primes};
  Place<Output<Elements<N>>> command{
      *this, "command", "*s", "@c", "Controller output within the limits", between("lower", "upper")};
  Place<Output<Elements<N>>> unlimited{*this, "unlimited", "*s", "@c", "Controller output without the limits"};
  Place<PerElement<N>> kp{*this, "kp", "@c/@e", "Proportional gain: one number, or one for each element", live};
  Place<PerElement<N>> ki{*this, "ki", "@c/@e/s", "Integral gain", live, by_default("0")};
  Place<PerElement<N>> kd{*this, "kd", "@c s/@e", "Derivative gain", live, by_default("0")};
  Place<Parameter<double>> filter_time{
      *this, "filter_time", "s", "tau, time constant of the derivative's filter", live, at_least(0.0), by_default("0")};
  Place<PerElement<N>> lower{*this, "lower", "@c", "Smallest command", live, by_default("-inf")};
  Place<PerElement<N>> upper{*this, "upper", "@c", "Largest command", live, by_default("inf")};
  Place<Parameter<AntiWindup>> anti_windup{*this, "anti_windup", "What the integral does at a limit",
                                           by_default("clamp")};
  Place<Parameter<double>> tracking_time{
      *this,      "tracking_time",  "s", "Time in which back_calculation leads the integral back", live,
      above(0.0), by_default("1 s")};
  Place<Parameter<DerivativeOf>> derivative_of{*this, "derivative_of", "measured: a step of the setpoint gives no peak",
                                               by_default("error")};
  Place<Parameter<StartsAt>> starts_at{*this, "starts_at", starts_at_doc, by_default("unsaid")};
  Place<PerElement<N>> initial{*this, "initial", "@c", "Integral at the start", by_default("0")};
  Place<State<Elements<N>>> integral{*this, "integral", "*s", "@c", "I"};
  Place<State<Elements<N>>> slope{*this, "slope", "*s", "@c", "D at the last tick"};
  Place<State<Elements<N>>> previous{*this, "previous", "*s", "@e", "What D is the derivative of, at the last tick"};

  void configure(const Instance& self) override {
    for (const auto* p : {&kp, &ki, &kd, &lower, &upper, &initial}) p->check(self, setpoint.rows(), setpoint.cols());
  }
  void initialize(const Instance&) override {
    auto state = *integral;
    for (Eigen::Index i = 0; i < state.size(); ++i) state[i] = initial[i];
  }
  void prepare(const Instance& self) override {
    check_order(self, lower, upper);
    if (*anti_windup == AntiWindup::back_calculation && integrates() && *tracking_time < self.period())
      self.report("tracking_time", "is shorter than the sample time: the integral is led back too far at each sample, "
                                   "rings, and below half of it diverges; give a longer one, such as kp/ki");
    rest_ = 1 / (*filter_time + self.period());
    memory_ = *filter_time * rest_;
    tracking_ = self.period() / *tracking_time;
  }
  void prime(const Tick&) override {
    auto last = *previous;
    for (Eigen::Index i = 0; i < last.size(); ++i) last[i] = *starts_at == StartsAt::zero ? 0.0 : tracked(i);
  }
  void output(const Tick&) override {
    auto out = *command, free = *unlimited;
    for (Eigen::Index i = 0; i < out.size(); ++i) {
      const double sum = kp[i] * error(i) + integral.data()[i] + derivative_part(i);
      free[i] = sum;
      out[i] = sum < lower[i] ? lower[i] : sum > upper[i] ? upper[i] : sum;
    }
  }
  void update(const Tick& t) override {
    auto sum = *integral, last = *previous, rate = *slope;
    for (Eigen::Index i = 0; i < sum.size(); ++i) {
      const double step = ki[i] * t.period() * error(i), excess = unlimited.data()[i] - command.data()[i];
      rate[i] = derivative_part(i);
      last[i] = tracked(i);
      if (*anti_windup == AntiWindup::back_calculation)
        sum[i] = led_back(i, sum[i], step, excess);
      else if (*anti_windup == AntiWindup::none || !(excess * step > 0))
        sum[i] += step;
    }
  }
  /// Both at once, each term computed once: the same bits.
  void output_and_update(const Tick& t) override {
    auto out = *command, free = *unlimited, sum = *integral, last = *previous, rate = *slope;
    for (Eigen::Index i = 0; i < out.size(); ++i) {
      const double e = error(i), followed = tracked(i), turning = derivative_part(i);
      const double whole = kp[i] * e + sum[i] + turning;
      const double limited = whole < lower[i] ? lower[i] : whole > upper[i] ? upper[i] : whole;
      const double step = ki[i] * t.period() * e, excess = whole - limited;
      free[i] = whole;
      out[i] = limited;
      rate[i] = turning;
      last[i] = followed;
      if (*anti_windup == AntiWindup::back_calculation)
        sum[i] = led_back(i, sum[i], step, excess);
      else if (*anti_windup == AntiWindup::none || !(excess * step > 0))
        sum[i] += step;
    }
  }

  /// The same for groups: each branch of a number is a choice between two.
  static void output_and_update_lanes(Row<Pid> groups) requires(Side > 1) {
    for (Pid& first : groups) step_group(first, groups.tick(first).period());
  }

private:
  bool integrates() const {
    for (Eigen::Index i = 0; i < ki.size(); ++i)
      if (ki[i] != 0) return true;
    return false;
  }
  static void step_group(Pid& first, double period) {
    Pack<Side> e, followed{}, measured, gain, weight, sum;
    take(e, first.setpoint);
    if (first.measured.connected()) {
      take(measured, first.measured);
      e = e - measured;
      followed = -measured;
    }
    if (*first.derivative_of == DerivativeOf::error) followed = e;
    Pack<Side> turning, limited;
    derivative_parts(turning, first, followed);
    take(gain, first.kp), take(sum, first.integral);
    const Pack<Side> whole = gain * e + sum + turning;
    limit(limited, first, whole);
    take(gain, first.ki);
    const Pack<Side> step = gain * period * e, excess = whole - limited;
    put(first.unlimited, whole), put(first.command, limited);
    put(first.slope, turning), put(first.previous, followed);
    if (*first.anti_windup == AntiWindup::back_calculation) {
      take(weight, first.tracking_);
      sum = gain == 0.0 ? sum : sum + (step - weight * excess);
    } else if (*first.anti_windup == AntiWindup::none) {
      sum = sum + step;
    } else {
      sum = excess * step > 0.0 ? sum : sum + step;
    }
    put(first.integral, sum);
  }
  static void derivative_parts(Pack<Side>& to, const Pid& first, const Pack<Side>& followed) {
    Pack<Side> memory, last, rest, gain, before;
    take(memory, first.memory_), take(last, first.slope);
    take(rest, first.rest_), take(gain, first.kd), take(before, first.previous);
    to = memory * last + rest * gain * (followed - before);
  }
  static void limit(Pack<Side>& to, const Pid& first, const Pack<Side>& whole) {
    Pack<Side> lower, upper;
    take(lower, first.lower), take(upper, first.upper);
    const Pack<Side> below_upper = whole > upper ? upper : whole;
    to = whole < lower ? lower : below_upper;
  }
  /// Without an integral gain nothing leads what is taken away here back again.
  double led_back(Eigen::Index i, double sum, double step, double excess) const {
    return ki[i] == 0 ? sum : sum + (step - tracking_ * excess);
  }
  double error(Eigen::Index i) const { return measured.connected() ? (*setpoint)[i] - (*measured)[i] : (*setpoint)[i]; }
  double tracked(Eigen::Index i) const {
    if (*derivative_of == DerivativeOf::error) return error(i);
    return measured.connected() ? -(*measured)[i] : 0.0;
  }
  double derivative_part(Eigen::Index i) const {
    return memory_ * slope.data()[i] + rest_ * kd[i] * (tracked(i) - previous.data()[i]);
  }

  Place<double> memory_, rest_, tracking_; ///< tau / (tau + T), 1 / (tau + T), T / tracking_time
};

HILDA_BLOCK_WITH_LANES("Pid", pid_doc, (Pid<1, 4>, Pid<1, 2>), Pid<Dynamic>, Pid<1>, Pid<3>, Pid<6>)
} // namespace
