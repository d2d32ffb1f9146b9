#include "engine/solve/solver.h"

#include <cstring>

namespace hilda {

void Solver::bind(const Schedule& schedule, const GuardStates& guards, SolverKind kind, RunningCall& running) {
  running_ = &running;
  schedule_ = &schedule;
  guards_ = &guards;
  kind_ = kind;
  std::size_t states = 0, bytes = 0;
  for (const Integrated& s : schedule.integrated) states += s.count;
  for (const Span& span : schedule.minor_outputs) bytes += span.bytes();
  for (std::vector<double>* v : {&x0_, &k1_, &k2_, &k3_, &k4_}) v->assign(states, 0.0);
  before_.assign(schedule.crossings.size(), 0.0);
  outputs_.assign(bytes, 0);
}

void Solver::save_outputs() noexcept {
  unsigned char* to = outputs_.data();
  for (const Span& span : schedule_->minor_outputs) std::memcpy(to, span.data, span.bytes()), to += span.bytes();
}

void Solver::restore_outputs() noexcept {
  const unsigned char* from = outputs_.data();
  for (const Span& span : schedule_->minor_outputs) std::memcpy(span.data, from, span.bytes()), from += span.bytes();
}

void Solver::call(const std::vector<Call>& calls) {
  for (const Call& c : calls) {
    if (!guards_->active(c.guard)) continue;
    running_->store(&c, std::memory_order_relaxed);
    if (c.kind == Call::Kind::many)
      c.many(c.first, c.stride, c.count, &tick_);
    else
      c.single(c.first, &tick_);
  }
  running_->store(nullptr, std::memory_order_relaxed);
}

void Solver::outputs_at(double time) {
  tick_.time = time;
  call(schedule_->minor);
  for (std::size_t i = 0; i < before_.size(); ++i) {
    const double now = *schedule_->crossings[i];
    crossed_ = crossed_ || (before_[i] < 0 && now > 0) || (before_[i] > 0 && now < 0);
  }
}

void Solver::derivatives(std::vector<double>& k) {
  call(schedule_->derivative);
  double* to = k.data();
  for (const Integrated& s : schedule_->integrated) {
    if (guards_->active(s.guard))
      std::memcpy(to, s.derivative, s.count * sizeof(double));
    else
      std::memset(to, 0, s.count * sizeof(double));
    to += s.count;
  }
}

void Solver::get_state(std::vector<double>& x) const noexcept {
  double* to = x.data();
  for (const Integrated& s : schedule_->integrated) std::memcpy(to, s.value, s.count * sizeof(double)), to += s.count;
}

void Solver::put_state(const std::vector<double>& x) noexcept {
  const double* from = x.data();
  for (const Integrated& s : schedule_->integrated)
    std::memcpy(s.value, from, s.count * sizeof(double)), from += s.count;
}

void Solver::set_state(const std::vector<double>& x0, const std::vector<double>& k, double h) noexcept {
  std::size_t at = 0;
  for (const Integrated& s : schedule_->integrated)
    for (std::size_t i = 0; i < s.count; ++i, ++at) s.value[i] = x0[at] + h * k[at];
}

/// One step of the method from x0 at `time`; outputs on entry are those of x0.
void Solver::advance_from(const std::vector<double>& x0, double time, double h) {
  derivatives(k1_);
  if (kind_ == SolverKind::euler) {
    set_state(x0, k1_, h);
  } else {
    set_state(x0, k1_, h / 2);
    outputs_at(time + h / 2);
    derivatives(k2_);
    set_state(x0, k2_, h / 2);
    outputs_at(time + h / 2);
    derivatives(k3_);
    set_state(x0, k3_, h);
    outputs_at(time + h);
    derivatives(k4_);
    for (std::size_t i = 0; i < k1_.size(); ++i) k1_[i] = (k1_[i] + 2 * k2_[i] + 2 * k3_[i] + k4_[i]) / 6;
    set_state(x0, k1_, h);
  }
  call(schedule_->project);
  outputs_at(time + h);
}

/// A step of the method from x0 again. False where a crossing changes its sign at its end or at one of its stages: a
/// force that jumps there would spoil the order although the step itself ends before the jump.
bool Solver::smooth(double time, double h) {
  put_state(x0_);
  outputs_at(time);
  crossed_ = false;
  advance_from(x0_, time, h);
  return !crossed_;
}

/// From x0 at `time` up to a change of sign and just over it, `h` at most. Returns how far that was.
double Solver::cross(double time, double h) {
  // bisection: 48 halvings reach the resolution of a double, and their number is fixed
  double low = 0, high = h;
  for (int i = 0; i < 48 && high - low > 1e-12 * h; ++i) {
    const double middle = (low + high) / 2;
    (smooth(time, middle) ? low : high) = middle;
  }
  smooth(time, low);
  get_state(x0_);
  advance_from(x0_, time + low, high - low);
  return high;
}

void Solver::step(const hilda_tick& now, double h) {
  if (idle()) return;
  tick_ = now;
  tick_.minor = 1;
  save_outputs();
  const double end = now.time + h;
  double time = now.time;
  // each sign that changes costs two or three parts: one up to where a stage first looks over it, then short ones
  int parts = 24;
  for (; parts > 0 && end - time > 1e-12 * h; --parts) {
    get_state(x0_);
    for (std::size_t i = 0; i < before_.size(); ++i) before_[i] = *schedule_->crossings[i];
    crossed_ = false;
    advance_from(x0_, time, end - time);
    if (!crossed_) break;
    time += cross(time, end - time);
  }
  if (parts == 0) { // signs chatter: the rest is carried without locating them
    get_state(x0_);
    advance_from(x0_, time, end - time);
  }
  restore_outputs();
}

} // namespace hilda
