// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/crossing_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace hilda::run {
namespace {

double side_of(double value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

/// How soon after a step's begin a crossing that leaves zero counts as leaving it there: of the larger of time and
/// step.
constexpr double at_once = 4 * std::numeric_limits<double>::epsilon();

/// Two events at times that are not further apart, by the larger of time and tick, are at one time as far as doubles
/// say.
constexpr double hardly_apart = 32 * std::numeric_limits<double>::epsilon();

} // namespace

void CrossingSearch::bind(std::vector<Crossing> crossings, RightHandSide& f, double tick) {
  f_ = &f;
  crossings_ = std::move(crossings);
  for (std::vector<double>* v : {&sides_, &last_sides_, &low_, &high_, &last_high_, &rests_, &after_, &levels_})
    v->assign(crossings_.size(), 0.0);
  x_.assign(f.size(), 0.0);
  slope_.assign(f.size(), 0.0);
  fired_.reserve(crossings_.size());
  told_.assign(crossings_.size(), 0);
  beyond_.assign(crossings_.size(), -1.0);
  written_.assign(crossings_.size(), -1.0);
  bounced_.assign(crossings_.size(), -1.0);
  tick_ = tick;
  rated_.clear();
  for (std::size_t i = 0; i < crossings_.size(); ++i)
    if (crossings_[i].rate != nullptr) rated_.push_back(i);
  here_.assign(f.size(), 0.0);
  rates_.assign(rated_.size(), 0.0);
  beside_ = 1e-5 * tick; // what rounding leaves of 1 is a rate of 1e-11 of 1 a tick
  beside_event_ = 1e-3 * tick;
  for (std::vector<double>& each : values_) each.assign(crossings_.size(), 0.0);
}

void CrossingSearch::tell() noexcept {
  for (std::size_t i = 0; i < sides_.size(); ++i)
    if (crossings_[i].side != nullptr) *crossings_[i].side = sides_[i];
}

bool CrossingSearch::idle() const noexcept {
  return std::all_of(crossings_.begin(), crossings_.end(),
                     [](const Crossing& each) { return each.side != nullptr && std::isinf(*each.value); });
}

void CrossingSearch::compute(double t) {
  f_->part().outputs_at(t);
  f_->part().derivatives(slope_);
  if (std::any_of(rated_.begin(), rated_.end(), [&](std::size_t i) { return std::isfinite(*crossings_[i].value); }))
    measure_rates(t);
}

/// Along the solution through the states as they are, where derivatives are computed.
void CrossingSearch::measure_rates(double t) {
  ContinuousPart& part = f_->part();
  part.get_state(here_);
  part.put_state(here_, slope_, beside_);
  part.outputs_at(t + beside_);
  for (std::size_t i = 0; i < rated_.size(); ++i) rates_[i] = *crossings_[rated_[i]].value;
  part.put_state(here_, slope_, -beside_);
  part.outputs_at(t - beside_);
  for (std::size_t i = 0; i < rated_.size(); ++i) {
    const double before = *crossings_[rated_[i]].value;
    rates_[i] = std::isfinite(rates_[i]) ? (rates_[i] - before) / (2 * beside_) : rates_[i];
  }
  part.put_state(here_);
  part.outputs_at(t);
  part.derivatives(slope_);
  for (std::size_t i = 0; i < rated_.size(); ++i) *crossings_[rated_[i]].rate = rates_[i];
}

void CrossingSearch::forget(double t, const std::vector<double>& x) {
  std::fill(sides_.begin(), sides_.end(), 0.0);
  tell();
  f_->part().put_state(x);
  compute(t);
}

void CrossingSearch::take_sides() noexcept {
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const double value = *crossings_[i].value;
    sides_[i] = side_of(value);
    if (sides_[i] == -last_sides_[i] && sides_[i] != 0) beyond_[i] = -1;
    if (beyond_[i] >= 0) beyond_[i] = std::max(beyond_[i], std::abs(value)); // it may have jumped there
    if (sides_[i] != 0) last_sides_[i] = sides_[i];
  }
  tell();
}

/// The values at `t` become those of the bracket's upper end.
void CrossingSearch::look(DenseOutput& dense, double t) {
  dense.at(t, x_);
  f_->part().put_state(x_);
  compute(t);
  for (std::size_t i = 0; i < high_.size(); ++i) high_[i] = *crossings_[i].value;
}

/// Would this value give a crossing another side? Blocks that look themselves need no step that ends where it leaves
/// zero for the side that it came from.
bool CrossingSearch::changes(std::size_t i, double value) const noexcept {
  const double now = side_of(value);
  if (sides_[i] != 0) return now == -sides_[i] || (rests_[i] != 0 && value == 0);
  return now != 0 && (crossings_[i].side != nullptr || now == -last_sides_[i]);
}

bool CrossingSearch::any_changed() const noexcept {
  for (std::size_t i = 0; i < sides_.size(); ++i)
    if (changes(i, high_[i])) return true;
  return false;
}

/// Those that are at zero at look `k` and at the next one: on no side there, so that blocks compute as the value says.
void CrossingSearch::note_rests(std::size_t k) noexcept {
  for (std::size_t i = 0; i < sides_.size(); ++i)
    rests_[i] =
        crossings_[i].side != nullptr && sides_[i] != 0 && values_[k][i] == 0 && (k == looks || values_[k + 1][i] == 0)
            ? 1
            : 0;
}

/// At the first look: one has left zero since the step's begin, or since a later time.
bool CrossingSearch::leaves_zero() const noexcept {
  for (std::size_t i = 0; i < sides_.size(); ++i)
    if (sides_[i] == 0 && changes(i, high_[i])) return true;
  return false;
}

/// The same as `narrow` up to the first look, where most leave zero with the step's begin.
double CrossingSearch::narrow_from_begin(DenseOutput& dense) {
  const double begin = dense.from(), length = dense.to() - begin;
  const double soon = begin + at_once * std::max(std::abs(begin), length);
  look(dense, soon);
  if (any_changed()) return note_held(), soon;
  low_ = high_;
  high_ = values_[1];
  return narrow(dense, soon, begin + length / looks);
}

/// Where the first of the chords through the bracket's ends meets zero.
double CrossingSearch::chord(double low, double high) const noexcept {
  double nearest = high;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    if (!changes(i, high_[i])) continue;
    const double share = low_[i] / (low_[i] - high_[i]);
    if (share >= 0 && share <= 1) nearest = std::min(nearest, low + share * (high - low));
  }
  return nearest;
}

/// Two changes between two looks may go unseen: where the parabola through three looks has its vertex beyond zero from
/// the side that a crossing is on, that is a time to look at. Of the part that ends with look `k`; as a share of it.
std::optional<double> CrossingSearch::hidden(std::size_t k) const noexcept {
  std::optional<double> earliest;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const double a = values_[k - 1][i], b = values_[k][i];
    const double bend = k < looks ? values_[k + 1][i] - 2 * b + a : values_[k - 2][i] - 2 * a + b;
    const double vertex = 0.5 - (b - a) / bend;
    if (sides_[i] == 0 || !(vertex > 0 && vertex < 1)) continue;
    const double there = a + vertex * (b - a) + 0.5 * vertex * (vertex - 1) * bend;
    if (side_of(there) == -sides_[i] && (!earliest || vertex < *earliest)) earliest = vertex;
  }
  return earliest;
}

std::optional<double> CrossingSearch::first(DenseOutput& dense) {
  went_through_ = false;
  std::fill(rests_.begin(), rests_.end(), 0.0);
  if (idle()) return std::nullopt;
  const double begin = dense.from(), length = dense.to() - begin;
  const auto time = [&](double look) { return look == looks ? dense.to() : begin + length * look / looks; };
  for (std::size_t k = 0; k <= looks; ++k) {
    look(dense, time(static_cast<double>(k)));
    values_[k] = high_;
  }
  for (std::size_t k = 1; k <= looks; ++k) {
    const double low = time(static_cast<double>(k - 1));
    low_ = values_[k - 1];
    if (const std::optional<double> share = hidden(k)) {
      const double between = time(static_cast<double>(k - 1) + *share);
      look(dense, between);
      if (any_changed()) return narrow(dense, low, between);
    }
    high_ = values_[k];
    if (missed_a_bounce()) {
      went_through_ = true;
      return std::nullopt;
    }
    note_rests(k);
    if (any_changed()) return k == 1 && leaves_zero() ? narrow_from_begin(dense) : narrow(dense, low, time(double(k)));
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      if (sides_[i] == 0) sides_[i] = side_of(high_[i]);
      if (sides_[i] != 0) last_sides_[i] = sides_[i];
    }
  }
  tell();
  return std::nullopt;
}

/// The first time in a bracket at which a side has changed; values at its ends are known. Chords, a little to either
/// side of their zero so that the bracket closes from both, and every third time its middle.
double CrossingSearch::narrow(DenseOutput& dense, double low, double high) {
  for (int i = 0; i < 160; ++i) {
    const double middle = low + (high - low) / 2;
    if (!(middle > low && middle < high)) break;
    double next = middle;
    if (i % 3 != 2) {
      const double zero = chord(low, high), aside = 1e-3 * std::min(zero - low, high - zero);
      const double beside = i % 3 == 0 ? zero + aside : zero - aside;
      if (beside > low && beside < high) next = beside;
    }
    last_high_ = high_;
    look(dense, next);
    if (any_changed()) {
      high = next;
    } else {
      low = next;
      low_ = high_;
      high_ = last_high_;
    }
  }
  note_held();
  return high;
}

void CrossingSearch::note_held() noexcept {
  held_ = true;
  for (std::size_t i = 0; i < sides_.size(); ++i)
    if (changes(i, high_[i]) && crossings_[i].side == nullptr) held_ = false;
}

/// At a look: where the event of one led it back it has to be back before it continues beyond.
bool CrossingSearch::missed_a_bounce() noexcept {
  for (std::size_t i = 0; i < sides_.size(); ++i) { // the same step may be made again, shorter
    if (beyond_[i] < 0) continue;
    const double side = side_of(high_[i]);
    if (side == last_sides_[i] && std::abs(high_[i]) > beyond_[i]) return true;
    if (side == -last_sides_[i] || (beyond_[i] == 0 && high_[i] == 0)) beyond_[i] = -1;
  }
  return false;
}

/// By how much each crossing changes from `beside` before to `beside` after, along the slope here.
void CrossingSearch::change_along(double t, double beside) {
  ContinuousPart& part = f_->part();
  part.get_state(here_);
  for (const double way : {beside, -beside}) {
    part.put_state(here_, slope_, way);
    part.outputs_at(t + way);
    part.derivatives(x_); // where blocks may write their crossings, too
    for (std::size_t i = 0; i < sides_.size(); ++i)
      after_[i] = way > 0 ? *crossings_[i].value : after_[i] - *crossings_[i].value;
  }
  part.put_state(here_);
  compute(t);
}

void CrossingSearch::note_levels() {
  for (std::size_t i = 0; i < crossings_.size(); ++i) levels_[i] = *crossings_[i].value;
}

void CrossingSearch::put_levels() noexcept {
  for (std::size_t i = 0; i < crossings_.size(); ++i) *crossings_[i].value = levels_[i];
}

bool CrossingSearch::settle(double t) {
  if (std::all_of(told_.begin(), told_.end(), [](unsigned char each) { return each == untold; })) return true;
  change_along(t, beside_event_);
  // a comparison bounces where the integrator behind it is set
  const bool wrote = least_apart_ > 0 && std::find(written_.begin(), written_.end(), t) != written_.end();
  bool leads_back = true;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    if (told_[i] == untold) continue;
    const double value = *crossings_[i].value;
    const bool stays = value == 0 || side_of(value) == last_sides_[i];
    const bool back = stays && after_[i] * last_sides_[i] < 0, set_to_zero = value == 0 && told_[i] == beyond_zero;
    beyond_[i] = back || set_to_zero ? std::abs(value) : -1;
    if (!wrote) continue;
    const bool on = stays && after_[i] * last_sides_[i] > 0;
    leads_back = leads_back && !(on && bounced_[i] >= 0 && t - bounced_[i] < tick_);
    bounced_[i] = back ? t : -1;
  }
  std::fill(told_.begin(), told_.end(), untold);
  return leads_back;
}

void CrossingSearch::turn(std::size_t i, double side) {
  ++turned_;
  sides_[i] = side;
  const bool crossed = side != 0 && side == -last_sides_[i];
  if (side != 0) last_sides_[i] = side;
  if (!crossed) return;
  told_[i] = *crossings_[i].value == 0 ? at_zero : beyond_zero;
  fired_.push_back(i);
}

bool CrossingSearch::note_written(double t) noexcept {
  const double moment = std::max(hardly_apart * std::max(std::abs(t), tick_), least_apart_);
  bool again = false;
  for (const std::size_t i : fired_) {
    again = again || (written_[i] >= 0 && t > written_[i] && t - written_[i] <= moment);
    written_[i] = t;
  }
  return again;
}

const std::vector<std::size_t>& CrossingSearch::leave_zero(double t) {
  fired_.clear();
  turned_ = 0;
  const auto is_at_zero = [this](std::size_t i) { return *crossings_[i].value == 0 && crossings_[i].rate == nullptr; };
  bool any = false;
  for (std::size_t i = 0; i < sides_.size(); ++i) any = any || is_at_zero(i);
  if (!any) return fired_;
  change_along(t, beside_);
  for (std::size_t i = 0; i < sides_.size(); ++i)
    if (is_at_zero(i) && side_of(after_[i]) != 0) turn(i, side_of(after_[i]));
  tell();
  return fired_;
}

const std::vector<std::size_t>& CrossingSearch::fire() noexcept {
  fired_.clear();
  turned_ = 0;
  for (std::size_t i = 0; i < sides_.size(); ++i)
    if (changes(i, *crossings_[i].value)) turn(i, side_of(*crossings_[i].value));
  std::fill(rests_.begin(), rests_.end(), 0.0);
  tell();
  return fired_;
}

} // namespace hilda::run
