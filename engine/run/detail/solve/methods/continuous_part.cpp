// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/methods/continuous_part.h"

#include <cstring>

namespace hilda::run {

void ContinuousPart::bind(const Schedule& schedule, const GuardStates& guards, RunningCall& running, ModeWitness& modes,
                          CallObserver* observer) {
  running_ = &running;
  modes_ = &modes;
  observer_ = observer;
  schedule_ = &schedule;
  guards_ = &guards;
  std::size_t bytes = 0;
  size_ = 0;
  for (const Integrated& s : schedule.integrated) size_ += s.count;
  for (const Span& span : schedule.minor_outputs) bytes += span.bytes();
  outputs_.assign(bytes, 0);
}

void ContinuousPart::enter(const hilda_tick& now, hilda_control* control, bool located) noexcept {
  tick_ = now;
  tick_.minor = 1;
  tick_.control = control;
  tick_.located = located ? 1 : 0;
}

void ContinuousPart::save_outputs() noexcept {
  unsigned char* to = outputs_.data();
  for (const Span& span : schedule_->minor_outputs) std::memcpy(to, span.data, span.bytes()), to += span.bytes();
}

void ContinuousPart::restore_outputs() noexcept {
  const unsigned char* from = outputs_.data();
  for (std::size_t i = 0; i < schedule_->minor_outputs.size(); ++i) {
    const Span& span = schedule_->minor_outputs[i];
    if (guards_->active(schedule_->minor_guards[i])) std::memcpy(span.data, from, span.bytes());
    from += span.bytes();
  }
}

void ContinuousPart::call(const std::vector<Call>& calls) {
  for (const Call& c : calls) {
    if (!guards_->active(c.guard)) continue;
    running_->store(&c, std::memory_order_relaxed);
    if (c.kind == Call::Kind::many)
      c.many(c.first, c.stride, c.count, &tick_);
    else if (observer_ != nullptr)
      observer_->minor_call(c, &tick_);
    else
      c.single(c.first, &tick_);
  }
  running_->store(nullptr, std::memory_order_relaxed);
}

void ContinuousPart::outputs_at(double time) {
  tick_.time = time;
  if (listener_ != nullptr) listener_->passes(time);
  call(schedule_->minor);
}

void ContinuousPart::derivatives(std::vector<double>& k) {
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

void ContinuousPart::get_state(std::vector<double>& x) const noexcept {
  double* to = x.data();
  for (const Integrated& s : schedule_->integrated) std::memcpy(to, s.value, s.count * sizeof(double)), to += s.count;
}

void ContinuousPart::put_state(const std::vector<double>& x) noexcept {
  const double* from = x.data();
  for (const Integrated& s : schedule_->integrated)
    std::memcpy(s.value, from, s.count * sizeof(double)), from += s.count;
}

void ContinuousPart::put_state(const std::vector<double>& x0, const std::vector<double>& k, double h) noexcept {
  std::size_t at = 0;
  for (const Integrated& s : schedule_->integrated)
    for (std::size_t i = 0; i < s.count; ++i, ++at) s.value[i] = x0[at] + h * k[at];
}

} // namespace hilda::run
