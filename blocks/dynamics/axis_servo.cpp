// SPDX-License-Identifier: BSD-3-Clause
#include "blocks/dynamics/second_order.h"
#include <hilda/block.h>
#include <hilda/whole_ticks.h>

namespace hilda {
namespace {

constexpr const char* axis_servo_doc =
    "Position-controlled axes, such as joints or legs: each does what it is commanded `response_delay` later, and then "
    "through a second order, as dynamics/RobotSink does for a pose.";

/// wn^2/(s^2 + 2 xi wn s + wn^2), discretised exactly for a held command. Before the first tick the axes moved
/// uniformly: the line holds the first command extrapolated backwards, and the second order starts on its steady ramp.
struct AxisServo : Block {
  Input<Vector> command{*this, "command", "n", "@u", "Of each axis", primes, conditional};
  Input<Vector> command_rate{*this, "command_rate", "n", "@u/s", "Of each axis", primes, conditional};
  Output<Vector> position{*this, "position", "n", "@u", "Of each axis"};
  Output<Vector> rate{*this, "rate", "n", "@u/s", "Of each axis"};

  Parameter<double> response_delay{*this, "response_delay", "s", "Dead time", at_least(0.0), by_default("0 s")};
  Parameter<double> natural_frequency{*this,         "natural_frequency",  "rad/s", "Of the second order; 0: none",
                                      at_least(0.0), by_default("0 rad/s")};
  Parameter<double> damping_ratio{*this, "damping_ratio", "", "Of the second order", above(0.0), by_default("0.7")};
  Parameter<Fractional> fractional{
      *this, "fractional", "What to do with a dead time that is not a whole number of ticks", by_default("refuse")};

  Ring<> positions{*this, "positions", "n", "@u", "Commands on their way"};
  Ring<> rates{*this, "rates", "n", "@u/s", "Their rates on their way"};
  State<Vector> at{*this, "at", "n", "@u", "Second order: where each axis is"};
  State<Vector> going{*this, "going", "n", "@u/s", "Second order: its rate"};

  bool feeds_through(const Instance&) const override {
    return *natural_frequency == 0.0 && (*response_delay == 0.0 || *fractional == Fractional::interpolate);
  }

  void configure(const Instance& instance) override {
    delay_ = whole_ticks(instance, "response_delay", *response_delay, *fractional);
    const std::int64_t kept = delay_.ticks + (delay_.fraction > 0.0 ? 1 : 0);
    positions.resize(kept);
    rates.resize(kept);
    if (*natural_frequency > 0.0)
      filter_ = SecondOrder::discretised(*natural_frequency, *damping_ratio, instance.period());
  }

  void prime(const Tick& t) override {
    const std::int64_t kept = positions.size();
    for (std::int64_t i = 0; i < kept; ++i) {
      const double before = -t.period() * static_cast<double>(kept - i);
      positions.push((*command + before * *command_rate).array());
      rates.push((*command_rate).array());
    }
    for (Eigen::Index i = 0; i < command.rows(); ++i) {
      const double slope = (*command_rate)[i];
      (*at)[i] = delayed(positions, command, i) + slope * filter_.ramp[0];
      (*going)[i] = slope * filter_.ramp[1];
    }
  }

  void output(const Tick&) override {
    for (Eigen::Index i = 0; i < position.rows(); ++i) {
      (*position)[i] = filtered() ? (*at)[i] : delayed(positions, command, i);
      (*rate)[i] = filtered() ? (*going)[i] : delayed(rates, command_rate, i);
    }
  }

  void update(const Tick&) override {
    if (filtered()) {
      for (Eigen::Index i = 0; i < position.rows(); ++i) {
        const double held = delayed(positions, command, i);
        const Fixed<2> off{(*at)[i] - held, (*going)[i]};
        const Fixed<2> next = filter_.transition * off;
        (*at)[i] = next[0] + held;
        (*going)[i] = next[1];
      }
    }
    positions.push((*command).array());
    rates.push((*command_rate).array());
  }

private:
  bool filtered() const { return *natural_frequency > 0.0; }

  /// What the dead time lets through of axis `i`; reads the command only where it must.
  double delayed(const Ring<>& line, const Input<Vector>& newest, Eigen::Index i) const {
    const double f = delay_.fraction;
    if (delay_.ticks == 0) return f > 0.0 ? (1.0 - f) * (*newest)[i] + f * line[0](i) : (*newest)[i];
    return f > 0.0 ? (1.0 - f) * line[1](i) + f * line[0](i) : line[0](i);
  }

  // from the parameters, by configure
  Ticks delay_;
  SecondOrder filter_;
};
HILDA_BLOCK(AxisServo, axis_servo_doc)

} // namespace
} // namespace hilda
