// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/hand/kernels.h"

namespace hand::HAND {
namespace {

constexpr double period = 1e-3;

/// As discrete/Pid: parallel form, filtered derivative, limits, integral that is at rest at a limit.
struct Pid {
  const double* setpoint;
  const double* measured;
  double command, unlimited;
  double kp, ki, kd, memory, rest, lower, upper;
  double integral, slope, previous;
};

/// As discrete/DiscreteStateSpace with two states, one input, one output and D = 0.
struct Plant {
  const double* u;
  double y;
  double a[4], b[2], c[2]; // columns
  double x[2];
};

inline void pid_step(Pid& p, double setpoint, double measured) {
  const double error = setpoint - measured;
  const double rate = p.memory * p.slope + p.rest * p.kd * (error - p.previous);
  const double sum = p.kp * error + p.integral + rate;
  p.unlimited = sum;
  p.command = sum < p.lower ? p.lower : sum > p.upper ? p.upper : sum;
  const double step = p.ki * period * error, excess = p.unlimited - p.command;
  p.slope = rate;
  p.previous = error;
  if (!(excess * step > 0)) p.integral += step;
}

inline void plant_output(Plant& p) { p.y = p.c[0] * p.x[0] + p.c[1] * p.x[1]; }

inline void plant_update(Plant& p, double u) {
  const double x0 = p.a[0] * p.x[0] + p.a[2] * p.x[1] + p.b[0] * u;
  const double x1 = p.a[1] * p.x[0] + p.a[3] * p.x[1] + p.b[1] * u;
  p.x[0] = x0, p.x[1] = x1;
}

[[gnu::noinline]] void pid_block(Pid* p) { pid_step(*p, *p->setpoint, *p->measured); }
/// One function a block: the plant is carried to the next tick and gives its output for it.
[[gnu::noinline]] void plant_block(Plant* p) {
  plant_update(*p, *p->u);
  plant_output(*p);
}

class Loops : public Kernel {
public:
  explicit Loops(std::size_t count) : pids_(count), plants_(count) {
    for (std::size_t i = 0; i < count; ++i) {
      pids_[i] = {&setpoint_,          &plants_[i].y, 0,   0, 20, 5, 1, 0.01 / (0.01 + period),
                  1 / (0.01 + period), -1e6,          1e6, 0, 0,  1}; // the first derivative is 0
      plants_[i] = {&pids_[i].command, 0, {1, -0.01, 0.001, 0.99}, {0, 0.001}, {1, 0}, {0, 0}};
    }
  }
  void fused(std::size_t ticks) override {
    for (std::size_t t = 0; t < ticks; ++t) {
      for (std::size_t i = 0; i < pids_.size(); ++i) {
        plant_output(plants_[i]);
        pid_step(pids_[i], setpoint_, plants_[i].y);
        plant_update(plants_[i], pids_[i].command);
      }
      asm volatile("" ::: "memory");
    }
  }
  void blocks(std::size_t ticks) override {
    for (std::size_t t = 0; t < ticks; ++t)
      for (std::size_t i = 0; i < pids_.size(); ++i) {
        pid_block(&pids_[i]);
        plant_block(&plants_[i]);
      }
  }
  std::vector<double> result() const override { return {pids_.back().command}; }

private:
  double setpoint_ = 1;
  std::vector<Pid> pids_;
  std::vector<Plant> plants_;
};

} // namespace

std::unique_ptr<Kernel> loops(std::size_t count) { return std::make_unique<Loops>(count); }

} // namespace hand::HAND
