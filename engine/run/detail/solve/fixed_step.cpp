// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/fixed_step.h"

namespace hilda::run {

void FixedStep::bind(ContinuousPart& part, SolverKind kind) {
  part_ = &part;
  kind_ = kind;
  for (std::vector<double>* v : {&x0_, &k1_, &k2_, &k3_, &k4_}) v->assign(part.size(), 0.0);
  before_.assign(part.schedule().crossings.size(), 0.0);
}

void FixedStep::outputs_at(double time) {
  part_->outputs_at(time);
  for (std::size_t i = 0; i < before_.size(); ++i) {
    const double now = *part_->schedule().crossings[i].value;
    crossed_ = crossed_ || (before_[i] < 0 && now > 0) || (before_[i] > 0 && now < 0);
  }
}

/// One step of the method from x0 at `time`; outputs on entry are those of x0.
void FixedStep::advance_from(const std::vector<double>& x0, double time, double h) {
  part_->derivatives(k1_);
  if (kind_ == SolverKind::euler) {
    part_->put_state(x0, k1_, h);
  } else {
    part_->put_state(x0, k1_, h / 2);
    outputs_at(time + h / 2);
    part_->derivatives(k2_);
    part_->put_state(x0, k2_, h / 2);
    outputs_at(time + h / 2);
    part_->derivatives(k3_);
    part_->put_state(x0, k3_, h);
    outputs_at(time + h);
    part_->derivatives(k4_);
    for (std::size_t i = 0; i < k1_.size(); ++i) k1_[i] = (k1_[i] + 2 * k2_[i] + 2 * k3_[i] + k4_[i]) / 6;
    part_->put_state(x0, k1_, h);
  }
  part_->project();
  outputs_at(time + h);
}

void FixedStep::carry(const std::vector<double>& x0, double time, double h) {
  part_->put_state(x0);
  part_->outputs_at(time);
  advance_from(x0, time, h);
}

/// A step of the method from x0 again. False where a crossing changes its sign at its end or at one of its stages: a
/// force that jumps there would spoil the order although the step itself ends before the jump.
bool FixedStep::smooth(double time, double h) {
  part_->put_state(x0_);
  outputs_at(time);
  crossed_ = false;
  advance_from(x0_, time, h);
  return !crossed_;
}

/// From x0 at `time` up to a change of sign and just over it, `h` at most. Returns how far that was.
double FixedStep::cross(double time, double h) {
  // bisection: 48 halvings reach the resolution of a double, and their number is fixed
  double low = 0, high = h;
  for (int i = 0; i < 48 && high - low > 1e-12 * h; ++i) {
    const double middle = (low + high) / 2;
    (smooth(time, middle) ? low : high) = middle;
  }
  smooth(time, low);
  part_->get_state(x0_);
  advance_from(x0_, time + low, high - low);
  return high;
}

void FixedStep::step(const hilda_tick& now, double h) {
  part_->enter(now, now.control, false);
  part_->save_outputs();
  const double end = now.time + h;
  double time = now.time;
  // each sign that changes costs two or three parts: one up to where a stage first looks over it, then short ones
  int parts = 24;
  for (; parts > 0 && end - time > 1e-12 * h; --parts) {
    part_->get_state(x0_);
    for (std::size_t i = 0; i < before_.size(); ++i) before_[i] = *part_->schedule().crossings[i].value;
    crossed_ = false;
    advance_from(x0_, time, end - time);
    if (!crossed_) break;
    time += cross(time, end - time);
  }
  if (parts == 0) { // signs chatter: the rest is carried without locating them
    part_->get_state(x0_);
    advance_from(x0_, time, end - time);
  }
}

} // namespace hilda::run
