#include "engine/solve/crossing_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace hilda {
namespace {

double side_of(double value) { return value > 0 ? 1 : value < 0 ? -1 : 0; }

bool changed(double side, double value) { return side != 0 && side_of(value) == -side; }

} // namespace

void CrossingSearch::bind(std::vector<Crossing> crossings, RightHandSide& f, double tick) {
  f_ = &f;
  crossings_ = std::move(crossings);
  for (std::vector<double>* v : {&sides_, &low_, &high_, &last_high_, &at_zero_}) v->assign(crossings_.size(), 0.0);
  x_.assign(f.size(), 0.0);
  slope_.assign(f.size(), 0.0);
  fired_.reserve(crossings_.size());
  told_.assign(crossings_.size(), 0);
  rated_.clear();
  for (std::size_t i = 0; i < crossings_.size(); ++i)
    if (crossings_[i].rate != nullptr) rated_.push_back(i);
  here_.assign(f.size(), 0.0);
  rates_.assign(rated_.size(), 0.0);
  beside_ = 1e-5 * tick; // what rounding leaves of 1 is a rate of 1e-11 of 1 a tick
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
  for (std::size_t i = 0; i < sides_.size(); ++i) sides_[i] = side_of(*crossings_[i].value);
  tell();
}

/// The values at `t` become those of the bracket's upper end.
void CrossingSearch::look(DenseOutput& dense, double t) {
  dense.at(t, x_);
  f_->part().put_state(x_);
  compute(t);
  for (std::size_t i = 0; i < high_.size(); ++i) high_[i] = *crossings_[i].value;
}

bool CrossingSearch::any_changed() const noexcept {
  for (std::size_t i = 0; i < sides_.size(); ++i)
    if (changed(sides_[i], high_[i])) return true;
  return false;
}

/// Where the first of the chords through the bracket's ends meets zero.
double CrossingSearch::chord(double low, double high) const noexcept {
  double nearest = high;
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    if (!changed(sides_[i], high_[i])) continue;
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
    if (changed(sides_[i], there) && (!earliest || vertex < *earliest)) earliest = vertex;
  }
  return earliest;
}

std::optional<double> CrossingSearch::first(DenseOutput& dense) {
  went_through_ = false;
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
    if (any_changed()) return narrow(dense, low, time(static_cast<double>(k)));
    if (k == 1 && left_by_the_side_it_came_to()) {
      went_through_ = true;
      return std::nullopt;
    }
    for (std::size_t i = 0; i < sides_.size(); ++i)
      if (sides_[i] == 0) sides_[i] = side_of(high_[i]);
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
  held_ = true;
  for (std::size_t i = 0; i < sides_.size(); ++i)
    if (changed(sides_[i], high_[i]) && crossings_[i].side == nullptr) held_ = false;
  return high;
}

/// At the first look of the step after an event.
bool CrossingSearch::left_by_the_side_it_came_to() noexcept {
  for (std::size_t i = 0; i < sides_.size(); ++i) // the same step may be made again, shorter
    if (at_zero_[i] != 0 && high_[i] != 0 && side_of(high_[i]) == sides_[i]) return true;
  std::fill(at_zero_.begin(), at_zero_.end(), 0.0);
  return false;
}

void CrossingSearch::settle() noexcept {
  for (std::size_t i = 0; i < sides_.size(); ++i) at_zero_[i] = told_[i] != 0 && *crossings_[i].value == 0 ? 1 : 0;
  std::fill(told_.begin(), told_.end(), 0);
}

const std::vector<std::size_t>& CrossingSearch::fire() noexcept {
  fired_.clear();
  for (std::size_t i = 0; i < sides_.size(); ++i) {
    const double now = *crossings_[i].value;
    if (!changed(sides_[i], now)) continue;
    sides_[i] = side_of(now);
    told_[i] = 1;
    fired_.push_back(i);
  }
  tell();
  return fired_;
}

} // namespace hilda
