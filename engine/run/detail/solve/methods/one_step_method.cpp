// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/methods/one_step_method.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hilda::run {
namespace {

constexpr double fresh = 0, at_end = 1, prepared = 2, moved = 3;
constexpr double safety = 0.9, smallest_factor = 0.2;

} // namespace

OneStepMethod::OneStepMethod(RightHandSide& f, Tolerances tolerances, int order, double growth, double memory)
    : f_(f), tolerances_(std::move(tolerances)), exponent_(1.0 / order), growth_(growth), memory_(memory) {
  for (std::vector<double>* v : {&x0_, &x1_, &error_, &slope_, &probe_}) v->assign(f.size(), 0.0);
}

/// Of an error between states a and b, in tolerances.
double OneStepMethod::norm(const std::vector<double>& e, const std::vector<double>& a,
                           const std::vector<double>& b) noexcept {
  double sum = 0, largest = -1;
  for (std::size_t i = 0; i < e.size(); ++i) {
    const double allowed = tolerances_.absolute[i] + tolerances_.relative * std::max(std::abs(a[i]), std::abs(b[i]));
    const double part = e[i] == 0 ? 0 : e[i] / allowed, square = part * part;
    if (!(square <= largest)) largest = square, worst_ = i;
    sum += square;
  }
  return std::sqrt(sum / static_cast<double>(e.size()));
}

void OneStepMethod::begin(double t, const std::vector<double>& x, double longest) {
  t0_ = t1_ = t;
  x0_ = x;
  x1_ = x;
  ready_ = fresh;
  before_ = 1e-4;
  if (next_ <= 0) next_ = first_step(longest);
}

/// Hairer's estimate: a step of explicit Euler that changes the slope by a hundredth of what is allowed.
double OneStepMethod::first_step(double longest) {
  f_(t0_, x0_, slope_);
  const double size = norm(x0_, x0_, x0_), speed = norm(slope_, x0_, x0_);
  double h = size < 1e-5 || speed < 1e-5 ? 1e-6 : 0.01 * size / speed;
  h = std::min(h, longest);
  for (std::size_t i = 0; i < probe_.size(); ++i) probe_[i] = x0_[i] + h * slope_[i];
  f_(t0_ + h, probe_, error_);
  for (std::size_t i = 0; i < error_.size(); ++i) error_[i] -= slope_[i];
  const double bend = norm(error_, x0_, x0_) / h, most = std::max(speed, bend);
  const double second = most <= 1e-15 ? std::max(1e-6, h * 1e-3) : std::pow(0.01 / most, exponent_);
  f_.take_objection();
  const double chosen = std::min({100 * h, second, longest});
  return std::isfinite(chosen) ? chosen : h;
}

/// The length that would have met the tolerance, with a look at the step before (Gustafsson 1988, as in DOPRI5).
double OneStepMethod::next_length(double error, double h) const noexcept {
  const double remembered = exponent_ - memory_ * 0.75;
  const double factor = std::pow(error, remembered) / std::pow(before_, memory_) / safety;
  return h / std::clamp(factor, 1 / growth_, 1 / smallest_factor);
}

bool OneStepMethod::step(double limit, double longest, double shortest) {
  undone_next_ = next_, undone_before_ = before_;
  if (ready_ == at_end || ready_ == moved) t0_ = t1_, x0_ = x1_;
  if (ready_ != prepared) prepare(ready_ == at_end);
  ready_ = prepared;
  bool tried = false;
  while (true) {
    double h = std::min(next_, longest);
    // the last step to a limit is stretched or two are made alike, so that none is tiny
    const double left = limit - t0_;
    const bool last = h >= 0.99 * left;
    if (last) h = left;
    if (!(h >= shortest) && !(last && left > 0 && !tried)) return false;
    attempt(h);
    double error = norm(error_, x0_, x1_);
    if (f_.take_objection()) error = NAN;
    if (error <= 1) {
      const double wished = next_length(error, h);
      // a step that a limit cut short says little about the next one
      next_ = last && h < undone_next_ && !tried ? std::max(wished, undone_next_) : wished;
      if (tried) next_ = std::min(next_, h);
      before_ = std::max(error, 1e-4);
      t1_ = last ? limit : t0_ + h;
      settle(h);
      ready_ = at_end;
      return true;
    }
    ++f_.statistics().rejected;
    const double factor = std::pow(error, exponent_) / safety;
    next_ = std::isfinite(factor) ? h / std::min(factor, 1 / smallest_factor) : h * 0.1;
    tried = true;
  }
}

bool OneStepMethod::undo() noexcept {
  next_ = undone_next_, before_ = undone_before_;
  t1_ = t0_;
  ready_ = prepared;
  return true;
}

void OneStepMethod::replace_end(const std::vector<double>& x) noexcept {
  x1_ = x;
  ready_ = moved;
}

void OneStepMethod::at(double t, std::vector<double>& x) noexcept {
  if (t >= t1_ || t1_ == t0_) {
    x = x1_;
    return;
  }
  dense((t - t0_) / (t1_ - t0_), x);
}

std::vector<std::span<double>> OneStepMethod::numbers() {
  std::vector<std::span<double>> list = {{&t0_, 1}, {&t1_, 1}, {&next_, 1}, {&before_, 1}, {&ready_, 1}, x0_, x1_};
  add_numbers(list);
  return list;
}

} // namespace hilda::run
