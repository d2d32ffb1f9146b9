// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/variable_step.h"

#include "engine/run/detail/solve/cvode/cvode.h"
#include "engine/run/detail/solve/methods/dormand_prince.h"
#include "engine/run/detail/solve/methods/rosenbrock.h"
#include "engine/run/detail/solve/settings/state_tolerances.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace hilda::run {
namespace {

constexpr double most_ticks = 1e6;             ///< that a step goes over: of a system at rest nothing limits it
constexpr std::int64_t most_steps = 1'000'000; ///< in a tick: without an end a run neither continues nor stops
constexpr int most_approaches = 40;            ///< to a crossing whose block does not hold its mode
constexpr double near_enough = 1e-10;          ///< of a step: the distance left to such a crossing

/// s: a step that is shorter ends where it begins, as far as doubles tell.
double shortest_step(double t, double period) {
  return 16 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t), 1e-9 * period);
}

/// A zero of another sign is another state; NaN is itself.
bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

} // namespace

VariableStep::VariableStep(const System& system, const Memory& memory, ContinuousPart& part,
                           const SolverSettings& settings)
    : system_(system), memory_(memory), settings_(settings), f_(part, counts_.of_steps), period_(system.base.value()),
      x_(part.size()), given_(part.size()) {
  counts_.restarts_by = Indexed<BlockIndex, std::int64_t>(system.blocks.size(), 0);
  counts_.limited_by.assign(part.size(), 0);
}

std::unique_ptr<VariableStep> VariableStep::create(const System& system, const Memory& memory, ContinuousPart& part,
                                                   GuardStates& guards, const SolverSettings& settings,
                                                   Diagnostics& diagnostics) {
  const std::optional<Tolerances> tolerances = state_tolerances(system, part.schedule(), settings, diagnostics);
  if (!tolerances) return nullptr;
  std::unique_ptr<VariableStep> made(new VariableStep(system, memory, part, settings));
  switch (settings.kind) { // the compiler names a kind that has no case
  case SolverKind::rk4:
  case SolverKind::euler: break; // of fixed steps
  case SolverKind::dopri5: made->method_ = std::make_unique<DormandPrince>(made->f_, *tolerances); break;
  case SolverKind::rosenbrock:
    made->method_ = std::make_unique<Rosenbrock>(made->f_, *tolerances, state_influence(system, part.schedule()));
    break;
  case SolverKind::cvode:
  case SolverKind::adams:
    made->method_ = make_cvode(made->f_, *tolerances, state_influence(system, part.schedule()), settings, diagnostics);
    break;
  }
  if (made->method_ == nullptr) return nullptr;
  made->events_.bind(system, memory, made->f_, guards);
  made->held_.bind(system, memory, part.schedule(), guards);
  made->past_.bind(system, memory, made->f_, guards, *made->method_);
  if (made->method_->repeats()) made->events_.search().set_least_apart(1e-5 * system.base.value());
  if (made->method_->repeats())
    made->last_begin_ = {.sides = made->events_.search().sides(),
                         .last_sides = made->events_.search().last_sides(),
                         .beyond = made->events_.search().beyond(),
                         .written = made->events_.search().written(),
                         .bounced = made->events_.search().bounced(),
                         .restless = made->held_.restless(),
                         .restless_later = made->held_.restless()};
  return made;
}

BlockIndex VariableStep::owner_of(std::size_t state) const noexcept {
  for (const Integrated& s : f_.part().schedule().integrated) {
    if (state < s.count) return s.block;
    state -= s.count;
  }
  return {};
}

/// Who needs the step to restart at this tick is counted.
bool VariableStep::restarts(std::int64_t tick) noexcept {
  const BlockIndex held = held_.take(tick);
  if (begun_ == 0) return true;
  BlockIndex cause = held;
  const auto found = std::mismatch(x_.begin(), x_.end(), given_.begin(), same_bits).first;
  const bool written = found != x_.end();
  if (written && !cause.valid()) cause = owner_of(static_cast<std::size_t>(found - x_.begin()));
  if (!cause.valid() && !forgotten_) return false;
  ++counts_.of_steps.restarts;
  if (cause.valid())
    ++counts_.restarts_by[cause];
  else
    ++counts_.restarts_by_parameters;
  return true;
}

bool VariableStep::begin(double t) {
  constexpr int most_rounds = 100; // of conditions that change each other at one time
  for (int round = 0;; ++round) {
    past_.begin(t, false);
    if (!events_.begin(t, x_) || round == most_rounds) return chatters(t);
    const bool changed = events_.take_conditions(t);
    f_.part().get_state(x_); // an event may have written it, or a reset
    if (!changed) break;
  }
  held_.note(); // blocks have taken their modes
  note_past(t);
  method_->begin(t, x_, longest());
  pending_ = 0;
  begun_ = 1;
  note_begin();
  return true;
}

/// The states are those with which steps begin.
void VariableStep::note_past(double t) {
  if (past_.empty()) return;
  f_.part().outputs_at(t);
  past_.note_jumps();
}

void VariableStep::note_begin() noexcept {
  to_repeat_ = false;
  if (!method_->repeats()) return;
  last_begin_.tick = static_cast<double>(tick_);
  last_begin_.sides = events_.search().sides();
  last_begin_.last_sides = events_.search().last_sides();
  last_begin_.beyond = events_.search().beyond();
  last_begin_.written = events_.search().written();
  last_begin_.bounced = events_.search().bounced();
  last_begin_.restless = held_.restless();
}

/// Nothing has changed since the method began, or it would have begun again: the same steps follow.
void VariableStep::repeat(const hilda_tick& now, std::int64_t tick) {
  const SolverStatistics counted = counts_.of_steps;
  events_.search().sides() = last_begin_.sides;
  events_.search().last_sides() = last_begin_.last_sides;
  events_.search().beyond() = last_begin_.beyond;
  events_.search().written() = last_begin_.written;
  events_.search().bounced() = last_begin_.bounced;
  events_.search().tell();
  method_->repeat();
  past_.cut(method_->to());
  pending_ = 0;
  last_begin_.restless_later = last_begin_.restless;
  hilda_tick then = now;
  for (auto k = static_cast<std::int64_t>(last_begin_.tick); k < tick; ++k) {
    if (k > static_cast<std::int64_t>(last_begin_.tick)) held_.keep_still(k, last_begin_.restless_later);
    then.index = k, then.time = time_of(k);
    f_.enter(then);
    const double limit = limit_of(held_.next_hit(k, last_begin_.restless_later)), until = time_of(k + 1);
    while (pending_ == 0 && method_->to() < until)
      if (!advance(limit, longest())) break;
  }
  f_.enter(now);
  counts_.of_steps = counted;
  to_repeat_ = false;
}

double VariableStep::time_of(std::int64_t tick) const noexcept {
  return static_cast<double>(tick) * static_cast<double>(system_.base.numerator()) /
         static_cast<double>(system_.base.denominator());
}

double VariableStep::longest() const noexcept {
  return std::min({settings_.max_step, most_ticks * period_, past_.shortest_age()});
}

/// Steps go no further than to the tick `hit`.
double VariableStep::limit_of(std::int64_t hit) const noexcept {
  return hit == std::numeric_limits<std::int64_t>::max() ? std::numeric_limits<double>::infinity() : time_of(hit);
}

bool VariableStep::step(const hilda_tick& now, std::int64_t tick, double until) {
  ContinuousPart& part = f_.part();
  f_.enter(now);
  f_.forget_objection();
  part.save_outputs();
  part.get_state(x_);
  tick_ = tick;
  past_.enter(now.time);
  const bool anew = restarts(tick);
  if (!anew && to_repeat_) repeat(now, tick);
  events_.enter();
  bool going = true;
  if (anew)
    going = begin(now.time);
  else
    events_.search().tell();
  forgotten_ = false;
  const double limit = limit_of(held_.next_hit(tick));
  for (std::int64_t steps = 0; going && (pending_ > 0 ? event_ <= until : method_->to() < until); ++steps)
    going = steps == most_steps ? too_many_steps() : pending_ > 0 ? take_event() : advance(limit, longest());
  if (going) {
    method_->at(until, x_);
    part.put_state(x_);
    part.project();
    part.get_state(given_);
    past_.pass_tick(until);
  }
  part.restore_outputs();
  return going;
}

/// One step of the method, up to the first crossing in it.
bool VariableStep::advance(double limit, double longest) {
  ContinuousPart& part = f_.part();
  const double arrival = past_.next_arrival(method_->to());
  const double hit = limit = std::min(limit, arrival);
  for (int approach = 0;; ++approach) {
    const double begin = method_->to(), shortest = shortest_step(begin, period_);
    if (!method_->step(limit, longest, shortest)) return give_up(shortest);
    if (!part.schedule().project.empty()) {
      part.put_state(method_->end_state());
      part.project();
      part.get_state(x_);
      if (x_ != method_->end_state()) method_->replace_end(x_);
    }
    const std::optional<double> crossed = events_.search().first(*method_);
    const double length = method_->to() - begin;
    if (events_.search().went_through()) {
      // A bounce between two looks of a long step is seen in a shorter one.
      if (0.1 * length <= shortest || approach == most_approaches || !method_->undo()) return bounces_for_ever(begin);
      limit = begin + 0.1 * length;
      continue;
    }
    if (!crossed) {
      if (method_->to() >= arrival) pending_ = 2, event_ = arrival;
      return accept(method_->to());
    }
    // Beyond the crossing the equation is another one: where blocks do not hold their side the step is made again up
    // to there, until little is left. Where they do, once: of a much longer step the curve would be of fewer digits.
    const double left = *crossed - begin;
    const bool again = events_.search().held() ? left < 0.5 * length : left > near_enough * length;
    if (again && left > shortest && hit - *crossed > shortest && approach < most_approaches && method_->undo()) {
      limit = *crossed;
      continue;
    }
    // between a crossing and the hit right behind it no step fits
    pending_ = 1, event_ = hit - *crossed <= shortest ? std::min(hit, method_->to()) : *crossed;
    return accept(event_);
  }
}

/// The step counts, as far as `to`.
bool VariableStep::accept(double to) {
  note_step();
  past_.remember(*method_, to);
  return true;
}

bool VariableStep::take_event() {
  ContinuousPart& part = f_.part();
  const double t = event_;
  const bool arrived = pending_ == 2;
  pending_ = 0;
  method_->at(t, x_);
  part.put_state(x_);
  past_.begin(t, arrived);
  if (!events_.take(t)) return chatters(t);
  const bool changed = events_.take_conditions(t);
  held_.note(); // events write states of blocks
  part.project();
  part.get_state(x_);
  if (changed) return f_.take_objection() ? give_up(0) : begin(t);
  note_past(t);
  if (f_.take_objection()) return give_up(0);
  method_->begin(t, x_, longest());
  note_begin();
  return true;
}

bool VariableStep::chatters(double t) noexcept {
  if (events_.indistinct()) return bounces_for_ever(t);
  culprit_ = events_.last_block();
  events_.tell_chatter(problem_, t, "take solver=\"rk4\", which does not wait for it");
  return false;
}

bool VariableStep::bounces_for_ever(double t) noexcept {
  culprit_ = events_.last_block();
  std::array<char, 60> why{};
  std::snprintf(why.data(), why.size(), "no step of %s is short enough", solver_name(settings_.kind));
  Events::tell_zeno(problem_, t, why.data());
  return false;
}

bool VariableStep::too_many_steps() noexcept {
  const std::size_t state = method_->worst();
  culprit_ = owner_of(state);
  std::snprintf(
      problem_, sizeof problem_,
      "%s made %lld steps in one tick and got no further than t = %.9g s, with steps of %.3g s for the error "
      "of the state '%s'; take a solver for stiff equations (solver=\"rosenbrock\"), or a period of much less "
      "than %.3g s",
      solver_name(settings_.kind), static_cast<long long>(most_steps), method_->to(), method_->to() - method_->from(),
      state_name(state).c_str(), period_);
  return false;
}

void VariableStep::note_step() noexcept {
  if (to_repeat_) return;
  const double length = method_->to() - method_->from();
  ++counts_.of_steps.steps;
  ++counts_.limited_by[method_->worst()];
  counts_.of_steps.longest = std::max(counts_.of_steps.longest, length);
  if (counts_.of_steps.shortest == 0 || length < counts_.of_steps.shortest) counts_.of_steps.shortest = length;
}

bool VariableStep::give_up(double shortest) noexcept {
  const double t = method_->from();
  if (const hilda_control& said = f_.objection(); said.verdict == HILDA_FAIL) {
    for (const BlockIndex b : system_.blocks.indices())
      if (memory_.record(b) == said.record) culprit_ = b;
    std::snprintf(problem_, sizeof problem_, "%s, in every step from t = %.9g s on, however short",
                  said.text != nullptr ? said.text : "it fails", t);
    return false;
  }
  if (events_.last_block().valid() && t - events_.last_time() < 1e-3 * period_)
    return bounces_for_ever(events_.last_time());
  const std::size_t state = method_->worst();
  culprit_ = owner_of(state);
  std::snprintf(problem_, sizeof problem_,
                "%s goes no further than t = %.9g s: even a step of %.3g s does not keep the error of the state '%s', "
                "now %.6g, within rtol and atol; is the equation singular there, or does it jump without a crossing?",
                solver_name(settings_.kind), t, shortest, state_name(state).c_str(), method_->end_state()[state]);
  return false;
}

} // namespace hilda::run
