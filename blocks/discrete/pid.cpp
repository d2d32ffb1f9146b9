#include <hilda/per_element.h>

namespace {
using namespace hilda;

constexpr const char* pid_doc =
    "PID controller in parallel form, for each element, with e = setpoint - measured and "
    "sample time T: command = kp e + I + D, "
    "within the limits. I(k+1) = I(k) + ki T e(k); D(k) = (tau D(k-1) + kd (e(k) - e(k-1))) / "
    "(tau + T), where e may leave "
    "out the setpoint. At a limit the integral stands still (clamp), or is led back: I(k+1) += "
    "(limited - unlimited) T / "
    "tracking_time. The first D is 0.";

enum class AntiWindup { clamp, back_calculation, none };
enum class DerivativeOf { error, measured };

template <int N> struct Pid : Block {
  Input<Elements<N>> setpoint{
      *this, "setpoint", "*s", "@e", "Wanted value, any shape; or an error, with measured left open", primes};
  Input<Elements<N>> measured{
      *this,    "measured", "*s",  "@e", "Actual value; where nothing drives it, setpoint counts as the error",
      optional, expected,   primes};
  Output<Elements<N>> command{*this, "command", "*s", "@c", "Controller output within the limits"};
  Output<Elements<N>> unlimited{*this, "unlimited", "*s", "@c", "Controller output without the limits"};
  PerElement<N> kp{*this, "kp", "@c/@e", "Proportional gain: one number, or one for each element", live};
  PerElement<N> ki{*this, "ki", "@c/@e/s", "Integral gain", live, by_default("0")};
  PerElement<N> kd{*this, "kd", "@c s/@e", "Derivative gain", live, by_default("0")};
  Parameter<double> filter_time{
      *this, "filter_time", "s", "tau, time constant of the derivative's filter", live, at_least(0.0), by_default("0")};
  PerElement<N> lower{*this, "lower", "@c", "Smallest command", live, by_default("-inf")};
  PerElement<N> upper{*this, "upper", "@c", "Largest command", live, by_default("inf")};
  Parameter<AntiWindup> anti_windup{*this, "anti_windup", "What the integral does at a limit", by_default("clamp")};
  Parameter<double> tracking_time{
      *this,      "tracking_time",  "s", "Time in which back_calculation leads the integral back", live,
      above(0.0), by_default("1 s")};
  Parameter<DerivativeOf> derivative_of{*this, "derivative_of", "measured: a step of the setpoint gives no peak",
                                        by_default("error")};
  PerElement<N> initial{*this, "initial", "@c", "Integral at the start", by_default("0")};
  State<Elements<N>> integral{*this, "integral", "*s", "@c", "I"};
  State<Elements<N>> slope{*this, "slope", "*s", "@c", "D at the last tick"};
  State<Elements<N>> previous{*this, "previous", "*s", "@e", "What D is the derivative of, at the last tick"};

  void configure(const Instance& self) override {
    for (const auto* p : {&kp, &ki, &kd, &lower, &upper, &initial}) p->check(self, setpoint.rows(), setpoint.cols());
    check_order(self, lower, upper);
  }
  void initialize(const Instance&) override {
    auto state = *integral;
    for (Eigen::Index i = 0; i < state.size(); ++i) state[i] = initial[i];
  }
  void prepare(const Instance& self) override {
    rest_ = 1 / (*filter_time + self.period());
    memory_ = *filter_time * rest_;
    tracking_ = self.period() / *tracking_time;
  }
  void prime(const Tick&) override {
    auto last = *previous;
    for (Eigen::Index i = 0; i < last.size(); ++i) last[i] = tracked(i);
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
        sum[i] += step - tracking_ * excess;
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
        sum[i] += step - tracking_ * excess;
      else if (*anti_windup == AntiWindup::none || !(excess * step > 0))
        sum[i] += step;
    }
  }

private:
  double error(Eigen::Index i) const { return measured.connected() ? (*setpoint)[i] - (*measured)[i] : (*setpoint)[i]; }
  double tracked(Eigen::Index i) const {
    if (*derivative_of == DerivativeOf::error) return error(i);
    return measured.connected() ? -(*measured)[i] : 0.0;
  }
  double derivative_part(Eigen::Index i) const {
    return memory_ * slope.data()[i] + rest_ * kd[i] * (tracked(i) - previous.data()[i]);
  }

  double memory_ = 0, rest_ = 0, tracking_ = 0; ///< tau / (tau + T), 1 / (tau + T), T / tracking_time
};

HILDA_BLOCK_VARIANTS("Pid", pid_doc, Pid<Dynamic>, Pid<1>, Pid<3>, Pid<6>)
} // namespace
