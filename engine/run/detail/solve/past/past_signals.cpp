// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/past/past_signals.h"

#include "engine/catalogue/past.h"
#include "engine/run/detail/solve/past/saved_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace hilda::run {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Of a tick: breaks that are not further apart are one.
constexpr double near_share = 1e-9;

/// What a signal and its last step differ by where it has not jumped.
bool jumped(double before, double now) {
  return std::abs(now - before) > 1e-12 * std::max(std::abs(before), std::abs(now));
}

} // namespace

void PastSignals::bind(const System& system, const Memory& memory, RightHandSide& f, const GuardStates& guards,
                       const Method& method) {
  const auto degree = static_cast<std::size_t>(method.curve_degree());
  f_ = &f, guards_ = &guards;
  repeats_ = method.repeats();
  base_ = system.base;
  period_ = system.base.value();
  near_ = near_share * period_;
  most_order_ = static_cast<double>(degree) + 1;
  shortest_age_ = infinity;
  x_.assign(f.size(), 0.0);
  for (const BlockIndex b : system.blocks.indices()) {
    const auto [ability, slot] = past_of(memory.layout(b));
    if (ability == nullptr || !system.blocks[b].continuous) continue;
    const auto port = std::find_if(system.blocks[b].ports.begin(), system.blocks[b].ports.end(),
                                   [at = slot](const SystemBlock::Port& each) { return each.slot == at; });
    const auto* input = static_cast<const double*>(memory.source(b, slot));
    const double age = ability->age(memory.record(b));
    if (port == system.blocks[b].ports.end() || input == nullptr || !(age > 0)) continue;
    const auto elements = static_cast<std::size_t>(port->type.elements());
    // a signal is often a product or a sine of states: its polynomial has two degrees more than theirs
    Delay& made = delays_.emplace_back(elements, degree + 2);
    made.guard = system.blocks[b].guard, made.ability = ability, made.record = memory.record(b);
    made.input = input;
    made.age = age;
    shortest_age_ = std::min(shortest_age_, made.age);
  }
  rooms_.resize(delays_.size());
  if (!empty()) f.part().listen(this);
}

void PastSignals::enter(double t) {
  for (Delay& each : delays_)
    if (each.guard.valid() && guards_->states()[each.guard].resetting != 0) {
      each.history.forget();
      each.history.add_break({each.own(each.stands() ? each.stood[1] : t), 0});
    }
}

/// One of a time that is a tick's but for its last digits is at the tick.
double PastSignals::arrival(const Delay& delay, double time) const noexcept {
  const double t = time + delay.age + delay.stood[0], tick = std::round(t / period_);
  const double exact = tick * static_cast<double>(base_.numerator()) / static_cast<double>(base_.denominator());
  return std::abs(t - exact) <= near_ ? exact : t;
}

/// Of the derivative that may jump as breaks arrive: one more than it was of them, for an integral lies between.
double PastSignals::order_of_arrivals(double t) const noexcept {
  double order = infinity;
  for (const Delay& each : delays_) {
    if (each.stands()) continue;
    for (const SignalHistory::Break& was : each.history.breaks())
      if (std::abs(arrival(each, was.time) - t) <= near_) order = std::min(order, was.order + 1);
  }
  return order;
}

void PastSignals::begin(double t, bool arrived) {
  const double order = arrived ? order_of_arrivals(t) : 0;
  for (Delay& each : delays_) {
    const bool active = guards_->active(each.guard);
    if (!active && !each.stands()) each.stood[1] = t;
    if (active && each.stands()) each.stood[0] += t - each.stood[1], each.stood[1] = -1;
    each.history.cut(each.own(each.stands() ? each.stood[1] : t));
  }
  for (Delay& each : delays_) {
    if (each.stands()) continue;
    const double now = each.own(t);
    std::vector<SignalHistory::Break>& breaks = each.history.breaks();
    if (!breaks.empty() && now - breaks.back().time <= near_)
      breaks.back().order = std::min(breaks.back().order, order);
    else if (order <= most_order_ || breaks.empty())
      each.history.add_break({now, order});
    each.history.drop(now - each.age - period_);
  }
  for (Delay& each : delays_) each.piece = each.history.piece(each.own(t) - each.age, near_);
}

void PastSignals::note_jumps() {
  for (Delay& each : delays_) {
    const double* const before = each.stands() ? nullptr : each.history.end();
    if (before == nullptr) continue;
    for (std::size_t i = 0; i < each.elements; ++i)
      if (jumped(before[i], each.input[i])) each.history.breaks().back().order = 0;
  }
}

double PastSignals::next_arrival(double after) const noexcept {
  double next = infinity;
  for (const Delay& each : delays_) {
    if (each.stands()) continue;
    for (const SignalHistory::Break& was : each.history.breaks()) {
      const double t = arrival(each, was.time);
      if (t > after + near_) {
        next = std::min(next, t);
        break; // those behind it are later
      }
    }
  }
  return next;
}

void PastSignals::remember(DenseOutput& step, double to) {
  if (empty() || !(to > step.from())) return;
  if (!repeats_) // else the steps since the last begin may be made again
    for (Delay& each : delays_) each.history.drop(each.own(step.from()) - each.age - period_);
  const SignalHistory& any = delays_.front().history;
  for (std::size_t d = 0; d < delays_.size(); ++d)
    if (!delays_[d].stands()) rooms_[d] = delays_[d].history.add(delays_[d].own(step.from()), delays_[d].own(to));
  for (std::size_t i = 0; i < any.points(); ++i) {
    const double t = any.point(i, step.from(), to);
    step.at(t, x_);
    f_->part().put_state(x_);
    f_->part().outputs_at(t);
    for (std::size_t d = 0; d < delays_.size(); ++d)
      if (!delays_[d].stands())
        std::copy_n(delays_[d].input, delays_[d].elements,
                    rooms_[d].begin() + static_cast<std::ptrdiff_t>(i * delays_[d].elements));
  }
}

void PastSignals::cut(double t) {
  for (Delay& each : delays_)
    if (!each.stands()) each.history.cut(each.own(t));
}

void PastSignals::recall(const Delay& delay, const double* values) { delay.ability->recall(delay.record, values); }

void PastSignals::passes(double t) {
  for (Delay& each : delays_)
    if (!each.stands()) recall(each, each.history.at(each.own(t) - each.age, each.piece));
}

void PastSignals::pass_tick(double t) {
  passed_ = t;
  for (Delay& each : delays_) {
    const double then = each.own(each.stands() ? each.stood[1] : t) - each.age;
    recall(each, each.history.at(then, each.history.piece(then, near_)));
  }
}

void PastSignals::save(std::vector<unsigned char>& bytes) const {
  if (empty()) return;
  append_numbers(bytes, {&passed_, 1});
  for (const Delay& each : delays_) {
    append_numbers(bytes, each.stood);
    append_numbers(bytes, std::array{each.piece.begin, each.piece.end});
    each.history.save(bytes);
  }
}

bool PastSignals::load(const std::vector<unsigned char>& bytes, std::size_t& at) {
  if (empty()) return true;
  if (!take_numbers(bytes, at, {&passed_, 1})) return false;
  for (Delay& each : delays_)
    if (!take_numbers(bytes, at, each.stood) || !take_numbers(bytes, at, {&each.piece.begin, 2}) ||
        !each.history.load(bytes, at))
      return false;
  pass_tick(passed_);
  return true;
}

} // namespace hilda::run
