#include "engine/run/solver.h"

#include <cstring>

namespace hilda {

void Solver::bind(const Schedule& schedule, const GuardStates& guards, SolverKind kind) {
  schedule_ = &schedule;
  guards_ = &guards;
  kind_ = kind;
  std::size_t states = 0, bytes = 0;
  for (const Integrated& s : schedule.integrated) states += s.count;
  for (const Span& span : schedule.minor_outputs) bytes += span.bytes();
  for (std::vector<double>* v : {&x0_, &k1_, &k2_, &k3_, &k4_}) v->assign(states, 0.0);
  before_.assign(schedule.crossings.size(), 0.0);
  after_ = before_;
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

void Solver::call(const std::vector<Call>& calls) noexcept {
  for (const Call& c : calls) {
    if (!guards_->active(c.guard)) continue;
    if (c.kind == Call::Kind::many) c.many(c.first, c.stride, c.count, &tick_);
    else c.single(c.first, &tick_);
  }
}

void Solver::outputs_at(double time) noexcept {
  tick_.time = time;
  call(schedule_->minor);
}

void Solver::derivatives(std::vector<double>& k) noexcept {
  call(schedule_->derivative);
  double* to = k.data();
  for (const Integrated& s : schedule_->integrated) {
    if (guards_->active(s.guard)) std::memcpy(to, s.derivative, s.count * sizeof(double));
    else std::memset(to, 0, s.count * sizeof(double));
    to += s.count;
  }
}

void Solver::get_state(std::vector<double>& x) const noexcept {
  double* to = x.data();
  for (const Integrated& s : schedule_->integrated) std::memcpy(to, s.value, s.count * sizeof(double)), to += s.count;
}

void Solver::put_state(const std::vector<double>& x) noexcept {
  const double* from = x.data();
  for (const Integrated& s : schedule_->integrated) std::memcpy(s.value, from, s.count * sizeof(double)), from += s.count;
}

void Solver::set_state(const std::vector<double>& x0, const std::vector<double>& k, double h) noexcept {
  std::size_t at = 0;
  for (const Integrated& s : schedule_->integrated)
    for (std::size_t i = 0; i < s.count; ++i, ++at) s.value[i] = x0[at] + h * k[at];
}

/// One step of the method from x0 at `time`; outputs on entry are those of x0.
void Solver::advance_from(const std::vector<double>& x0, double time, double h) noexcept {
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

void Solver::read_crossings(std::vector<double>& c) const noexcept {
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = *schedule_->crossings[i];
}

bool Solver::crossed(const std::vector<double>& before, const std::vector<double>& after) const noexcept {
  for (std::size_t i = 0; i < before.size(); ++i)
    if ((before[i] < 0 && after[i] > 0) || (before[i] > 0 && after[i] < 0)) return true;
  return false;
}

void Solver::step(const hilda_tick& now, double h) noexcept {
  if (idle()) return;
  tick_ = now;
  tick_.minor = 1;
  save_outputs();
  const double end = now.time + h;
  double time = now.time;
  // each crossing found costs a step; beyond a few in one tick the rest is carried without locating
  for (int located = 0; located < 8; ++located) {
    get_state(x0_);
    read_crossings(before_);
    const double rest = end - time;
    advance_from(x0_, time, rest);
    read_crossings(after_);
    if (before_.empty() || !crossed(before_, after_)) break;
    // bisection: 48 halvings reach the resolution of a double, and their number is fixed
    double low = 0, high = rest;
    for (int i = 0; i < 48 && high - low > 1e-12 * rest; ++i) {
      const double middle = (low + high) / 2;
      put_state(x0_);
      outputs_at(time);
      advance_from(x0_, time, middle);
      read_crossings(after_);
      (crossed(before_, after_) ? high : low) = middle;
    }
    put_state(x0_);
    outputs_at(time);
    advance_from(x0_, time, high); // just behind the crossing
    time += high;
    if (end - time <= 1e-12 * h) break;
  }
  restore_outputs();
}

} // namespace hilda
