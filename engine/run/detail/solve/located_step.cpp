// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/located_step.h"

#include "engine/run/detail/solve/past/saved_numbers.h"

namespace hilda::run {
namespace {

constexpr int most_looks_again = 40;   ///< at a crossing whose block does not hold its mode
constexpr double close_enough = 1e-10; ///< of a step: the distance left to such a crossing

} // namespace

void LocatedStep::bind(const System& system, const Memory& memory, ContinuousPart& part, FixedStep& method,
                       GuardStates& guards) {
  f_.emplace(part, statistics_);
  method_ = &method;
  events_.bind(system, memory, *f_, guards);
  x0_.assign(part.size(), 0.0);
  x1_.assign(part.size(), 0.0);
}

void LocatedStep::at(double t, std::vector<double>& x) {
  if (t <= t0_ || t >= t1_) {
    x = t <= t0_ ? x0_ : x1_;
    return;
  }
  method_->carry(x0_, t0_, t - t0_);
  f_->part().get_state(x);
}

SolverCounts LocatedStep::counts() const {
  SolverCounts made;
  made.of_steps = statistics_, made.events_by = events_.counts();
  return made;
}

void LocatedStep::count_from(const SolverCounts& counts) {
  statistics_ = counts.of_steps;
  events_.counts() = counts.events_by;
}

void LocatedStep::save(std::vector<unsigned char>& bytes) const {
  append_numbers(bytes, events_.search().last_sides());
  append_numbers(bytes, events_.search().beyond());
  append_numbers(bytes, events_.search().written());
}

bool LocatedStep::load(const std::vector<unsigned char>& bytes, std::size_t& at) {
  CrossingSearch& search = events_.search();
  return take_numbers(bytes, at, search.last_sides()) && take_numbers(bytes, at, search.beyond()) &&
         take_numbers(bytes, at, search.written());
}

bool LocatedStep::step(const hilda_tick& now, double h) {
  ContinuousPart& part = f_->part();
  f_->enter(now);
  control_ = now.control;
  f_->take_objection();
  f_->forget_objection();
  events_.enter();
  part.save_outputs();
  part.get_state(x0_);
  t0_ = now.time, end_ = now.time + h, least_ = 1e-12 * h;
  bool going = begin(t0_);
  while (going && end_ - t0_ > least_) going = advance();
  part.put_state(x0_);
  part.restore_outputs();
  return going;
}

/// From x0_ on, as events and resets there leave it.
bool LocatedStep::begin(double t) {
  constexpr int most_rounds = 100; // of conditions that change each other at one time
  for (int round = 0;; ++round) {
    const bool settled = events_.begin(t, x0_) && round < most_rounds;
    const bool changed = settled && events_.take_conditions(t);
    f_->part().get_state(x0_);
    if (!settled) return tell_chatter(t);
    if (!changed) return true;
  }
}

/// One step to the tick's end, or up to the first crossing in it.
bool LocatedStep::advance() {
  ContinuousPart& part = f_->part();
  t1_ = end_;
  for (int again = 0;; ++again) {
    f_->take_objection(); // to a longer step
    method_->carry(x0_, t0_, t1_ - t0_);
    part.get_state(x1_);
    const bool objected = f_->take_objection();
    const std::optional<double> crossed = events_.search().first(*this);
    if (events_.search().went_through()) { // in a bounce that a shorter step may show
      if (0.1 * (t1_ - t0_) <= least_ || again == most_looks_again) return bounces_for_ever();
      t1_ = t0_ + 0.1 * (t1_ - t0_);
      continue;
    }
    if (!crossed) {
      if (objected) *control_ = f_->objection();
      ++statistics_.steps;
      t0_ = t1_, x0_ = x1_;
      return true;
    }
    const double left = *crossed - t0_;
    const bool closer = !events_.search().held() && left > close_enough * (t1_ - t0_) && *crossed < t1_;
    if (!closer || again == most_looks_again) return take_event(*crossed);
    t1_ = *crossed;
  }
}

bool LocatedStep::bounces_for_ever() {
  Events::tell_zeno(problem_, t0_, "no two of them can be distinguished");
  return false;
}

bool LocatedStep::take_event(double t) {
  ContinuousPart& part = f_->part();
  at(t, x1_);
  part.put_state(x1_);
  const bool settled = events_.take(t);
  const bool changed = settled && events_.take_conditions(t);
  part.project();
  part.get_state(x0_);
  t0_ = t;
  ++statistics_.steps;
  if (!settled) return tell_chatter(t);
  return !changed || begin(t);
}

bool LocatedStep::tell_chatter(double t) {
  if (events_.indistinct()) {
    t0_ = t;
    return bounces_for_ever();
  }
  events_.tell_chatter(problem_, t, "leave out events=\"located\"");
  return false;
}

} // namespace hilda::run
