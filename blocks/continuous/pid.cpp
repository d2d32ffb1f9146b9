// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/per_element.h>

namespace {
using namespace hilda;

constexpr const char* pid_doc = "PID controller in continuous time, in parallel form, for each element, with e = "
                                "setpoint - measured: command = kp e + "
                                "I + D within the limits, dI/dt = ki e, D = kd s / (filter_time s + 1) e, where e may "
                                "leave out the setpoint. At a limit "
                                "the integral stops (clamp), or is led back: dI/dt += (limited - unlimited) / "
                                "tracking_time, where ki is not 0. The first D is 0, unless it starts_at zero. "
                                "For a controller that runs at a sample time take discrete/Pid.";

enum class AntiWindup { clamp, back_calculation, none };
enum class DerivativeOf { error, measured };
enum class StartsAt { unsaid, input, zero }; // as in blocks/discrete/starts_at.h

struct Pid : Block {
  Input<Elements<>> setpoint{
      *this, "setpoint", "*s", "@e", "Desired value, any shape; or an error, with measured left open", primes};
  Input<Elements<>> measured{
      *this,    "measured", "*s",  "@e", "Actual value; where nothing drives it, setpoint counts as the error",
      optional, expected,   primes};
  Output<Elements<>> command{
      *this, "command", "*s", "@c", "Controller output within the limits", between("lower", "upper")};
  Output<Elements<>> unlimited{*this, "unlimited", "*s", "@c", "Controller output without the limits"};
  PerElement<Dynamic> kp{*this, "kp", "@c/@e", "Proportional gain: one number, or one for each element", live};
  PerElement<Dynamic> ki{*this, "ki", "@c/@e/s", "Integral gain", live, by_default("0")};
  PerElement<Dynamic> kd{*this, "kd", "@c s/@e", "Derivative gain", live, by_default("0")};
  Parameter<double> filter_time{
      *this,      "filter_time",      "s", "Time constant of the derivative's filter, at least a tick", live,
      above(0.0), by_default("10 ms")};
  PerElement<Dynamic> lower{*this, "lower", "@c", "Smallest command", live, by_default("-inf")};
  PerElement<Dynamic> upper{*this, "upper", "@c", "Largest command", live, by_default("inf")};
  Parameter<AntiWindup> anti_windup{*this, "anti_windup", "What the integral does at a limit", by_default("clamp")};
  Parameter<double> tracking_time{
      *this,      "tracking_time",  "s", "Time in which back_calculation leads the integral back", live,
      above(0.0), by_default("1 s")};
  Parameter<DerivativeOf> derivative_of{*this, "derivative_of", "measured: a step of the setpoint gives no peak",
                                        by_default("error")};
  Parameter<StartsAt> starts_at{*this, "starts_at",
                                "What D is the derivative of, before the start. input: as its first value, at rest. "
                                "zero: 0, so that a step at t = "
                                "0 is seen. unsaid: as input, with a warning where a step at t = 0 meets it",
                                by_default("unsaid")};
  PerElement<Dynamic> initial{*this, "initial", "@c", "Integral at the start", by_default("0")};
  ContinuousState<Elements<>> integral{*this, "integral", "*s", "@c", "I"};
  ContinuousState<Elements<>> lagged{*this, "lagged", "*s", "@e", "What D is the derivative of, behind its filter"};

  void configure(const Instance& self) override {
    for (const auto* p : {&kp, &ki, &kd, &lower, &upper, &initial}) p->check(self, setpoint.rows(), setpoint.cols());
  }
  void prepare(const Instance& self) override {
    check_order(self, lower, upper);
    bool derives = false;
    for (Eigen::Index i = 0; i < kd.size(); ++i) derives = derives || kd[i] != 0;
    if (derives && *filter_time < self.period() / 2)
      self.report("filter_time", "is shorter than half the tick, which the solver cannot follow; give a longer one, or "
                                 "the diagram a shorter period");
    bool integrates = false;
    for (Eigen::Index i = 0; i < ki.size(); ++i) integrates = integrates || ki[i] != 0;
    if (*anti_windup == AntiWindup::back_calculation && integrates && *tracking_time < self.period() / 2)
      self.report("tracking_time", "is shorter than half the tick, which the solver cannot follow; give a longer one, "
                                   "such as kp/ki, or the diagram a shorter period");
    // Without a derivative the filter's time does not matter, and must not be too short for the solver.
    filter_ = std::max(*filter_time, derives ? self.period() / 2 : 2 * self.period());
  }
  void initialize(const Instance&) override {
    auto state = *integral;
    for (Eigen::Index i = 0; i < state.size(); ++i) state[i] = initial[i];
  }
  void prime(const Tick&) override {
    auto last = *lagged;
    for (Eigen::Index i = 0; i < last.size(); ++i) last[i] = *starts_at == StartsAt::zero ? 0.0 : tracked(i);
  }
  void output(const Tick&) override {
    auto out = *command, free = *unlimited;
    for (Eigen::Index i = 0; i < out.size(); ++i) {
      free[i] = whole(i);
      out[i] = limited(i, free[i]);
    }
  }
  void derivative(const Tick&) override {
    auto sum = *integral.dot(), follow = *lagged.dot();
    for (Eigen::Index i = 0; i < sum.size(); ++i) {
      const double free = whole(i), excess = free - limited(i, free), rate = ki[i] * error(i);
      follow[i] = (tracked(i) - past(i)) / filter_;
      // without an integral gain nothing leads what back-calculation takes away back again
      sum[i] = *anti_windup == AntiWindup::back_calculation ? (ki[i] == 0 ? 0 : rate - excess / *tracking_time)
               : *anti_windup == AntiWindup::none || !(excess * rate > 0) ? rate
                                                                          : 0;
    }
  }

private:
  double error(Eigen::Index i) const { return measured.connected() ? (*setpoint)[i] - (*measured)[i] : (*setpoint)[i]; }
  double tracked(Eigen::Index i) const {
    if (*derivative_of == DerivativeOf::error) return error(i);
    return measured.connected() ? -(*measured)[i] : 0.0;
  }
  double past(Eigen::Index i) const { return (*lagged)[i]; }
  double whole(Eigen::Index i) const {
    return kp[i] * error(i) + (*integral)[i] + kd[i] * (tracked(i) - past(i)) / filter_;
  }
  double limited(Eigen::Index i, double v) const { return v < lower[i] ? lower[i] : v > upper[i] ? upper[i] : v; }

  double filter_ = 0;
};

HILDA_BLOCK(Pid, pid_doc)
} // namespace
