// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/detail/solve/past/signal_history.h"

#include "engine/run/detail/solve/past/saved_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace hilda::run {
namespace {

constexpr double endless = std::numeric_limits<double>::infinity();
constexpr std::size_t many = 64; ///< steps: fewer are not worth moving the others for

template <typename T> std::span<const double> numbers_of(const std::vector<T>& list) {
  return {reinterpret_cast<const double*>(list.data()), list.size() * sizeof(T) / sizeof(double)};
}

template <typename T>
bool take_list(const std::vector<unsigned char>& bytes, std::size_t& at, double count, std::vector<T>& into) {
  if (!(count >= 0 && count * sizeof(T) <= static_cast<double>(bytes.size() - at))) return false;
  into.resize(static_cast<std::size_t>(count));
  return take_numbers(bytes, at, {reinterpret_cast<double*>(into.data()), into.size() * sizeof(T) / sizeof(double)});
}

} // namespace

SignalHistory::SignalHistory(std::size_t elements, std::size_t degree) : elements_(elements), found_(elements) {
  for (std::size_t i = 0; i <= degree; ++i) {
    nodes_.push_back(-std::cos(M_PI * static_cast<double>(i) / static_cast<double>(degree)));
    weights_.push_back((i % 2 == 0 ? 1.0 : -1.0) * (i == 0 || i == degree ? 0.5 : 1.0));
  }
  nodes_.front() = -1, nodes_.back() = 1;
}

double SignalHistory::point(std::size_t i, double from, double to) const noexcept {
  if (i == 0 || i + 1 == nodes_.size()) return i == 0 ? from : to;
  return from + 0.5 * (1 + nodes_[i]) * (to - from);
}

std::span<double> SignalHistory::add(double from, double to) {
  steps_.push_back({from, to, to});
  const std::size_t width = points() * elements_;
  values_.resize(values_.size() + width);
  return std::span(values_).last(width);
}

void SignalHistory::cut(double time) noexcept {
  while (!steps_.empty() && steps_.back().begin >= time) {
    steps_.pop_back();
    values_.resize(values_.size() - points() * elements_);
  }
  if (!steps_.empty()) steps_.back().until = std::min(steps_.back().until, time);
  while (!breaks_.empty() && breaks_.back().time > time) breaks_.pop_back();
}

void SignalHistory::drop(double time) noexcept {
  std::size_t old = 0;
  while (old < steps_.size() && steps_[old].until < time) ++old;
  if (old < many || 2 * old < steps_.size()) return;
  steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(old));
  values_.erase(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(old * points() * elements_));
  std::size_t passed = 0; // but for the last: it begins the piece that is asked for
  while (passed + 1 < breaks_.size() && breaks_[passed + 1].time < time) ++passed;
  breaks_.erase(breaks_.begin(), breaks_.begin() + static_cast<std::ptrdiff_t>(passed));
}

void SignalHistory::forget() noexcept {
  steps_.clear();
  values_.clear();
  breaks_.clear();
}

SignalHistory::Piece SignalHistory::piece(double time, double near) const noexcept {
  const auto later = [near](double t, const Break& each) { return t + near < each.time; };
  const auto next = std::upper_bound(breaks_.begin(), breaks_.end(), time, later);
  return {next == breaks_.begin() ? -endless : std::prev(next)->time, next == breaks_.end() ? endless : next->time};
}

const double* SignalHistory::at(double time, Piece piece) {
  if (steps_.empty() || piece.begin == -endless) return nullptr;
  const double within = std::min(std::max(time, piece.begin), piece.end);
  const auto later = [](double t, const Step& each) { return t < each.begin; };
  auto next = std::upper_bound(steps_.begin(), steps_.end(), within, later);
  while (next != steps_.begin() && std::prev(next)->begin >= piece.end) --next;
  if (next == steps_.begin()) return nullptr;
  return values_at(static_cast<std::size_t>(next - steps_.begin()) - 1, within);
}

const double* SignalHistory::end() {
  return steps_.empty() ? nullptr : values_at(steps_.size() - 1, steps_.back().until);
}

/// Lagrange's polynomial in its barycentric form (Berrut and Trefethen 2004).
const double* SignalHistory::values_at(std::size_t step, double time) {
  const Step& is = steps_[step];
  const double t = std::min(std::max(time, is.begin), is.until);
  const double* const values = values_.data() + step * points() * elements_;
  double sum = 0;
  std::fill(found_.begin(), found_.end(), 0.0);
  for (std::size_t i = 0; i < points(); ++i) {
    const double away = t - point(i, is.begin, is.end);
    if (away == 0) {
      std::copy_n(values + i * elements_, elements_, found_.begin());
      return found_.data();
    }
    const double weight = weights_[i] / away;
    sum += weight;
    for (std::size_t e = 0; e < elements_; ++e) found_[e] += weight * values[i * elements_ + e];
  }
  for (double& each : found_) each /= sum;
  return found_.data();
}

void SignalHistory::save(std::vector<unsigned char>& bytes) const {
  const std::vector<double> counts = {static_cast<double>(steps_.size()), static_cast<double>(breaks_.size())};
  append_numbers(bytes, counts);
  append_numbers(bytes, numbers_of(steps_));
  append_numbers(bytes, values_);
  append_numbers(bytes, numbers_of(breaks_));
}

bool SignalHistory::load(const std::vector<unsigned char>& bytes, std::size_t& at) {
  std::vector<double> counts(2);
  if (!take_numbers(bytes, at, counts) || !take_list(bytes, at, counts[0], steps_)) return false;
  const double cells = static_cast<double>(steps_.size() * points() * elements_);
  return take_list(bytes, at, cells, values_) && take_list(bytes, at, counts[1], breaks_);
}

} // namespace hilda::run
