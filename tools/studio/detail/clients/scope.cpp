// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/clients/scope.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace hilda::studio {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

} // namespace

void Rows::add(double time, std::span<const double> values) {
  times_.push_back(time);
  values_.insert(values_.end(), values.begin(), values.end());
}

void Rows::clear() {
  times_.clear();
  values_.clear();
}

void Rows::drop(std::size_t rows) {
  times_.erase(times_.begin(), times_.begin() + static_cast<std::ptrdiff_t>(rows));
  values_.erase(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(rows * columns_));
}

Rows Rows::thinned(std::size_t most) const {
  if (count() <= most || most < 2) return *this;
  const std::size_t bins = most / 2;
  Rows thin(columns_);
  std::vector<double> first(columns_), second(columns_);
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const std::size_t begin = bin * count() / bins, end = (bin + 1) * count() / bins;
    for (std::size_t c = 0; c < columns_; ++c) {
      std::size_t least = begin, greatest = begin;
      for (std::size_t row = begin; row < end; ++row) {
        if (!(at(row, c) >= at(least, c))) least = row; // NaN counts: it is seen
        if (at(row, c) > at(greatest, c)) greatest = row;
      }
      first[c] = at(std::min(least, greatest), c);
      second[c] = at(std::max(least, greatest), c);
    }
    thin.add(time(begin), first);
    thin.add(time(begin + (end - begin) / 2), second);
  }
  return thin;
}

ScopeFeed::ScopeFeed(ScopeSettings settings, const ServedSignals& signals)
    : settings_(std::move(settings)), level_(unknown), level_before_(unknown) {
  for (const std::string& signal : settings_.signals) add(reader_, signal, signals);
  if (settings_.trigger) {
    const std::string& signal = settings_.trigger->signal;
    add(trigger_, signal, signals);
    if (trigger_.columns().size() > 1)
      problems_.emplace_back(signal, "a trigger looks at one number, and this signal has several: name a part of it");
  }
  limit(signals);
  rows_ = Rows(columns().size());
}

void ScopeFeed::add(FrameReader& reader, const std::string& signal, const ServedSignals& signals) {
  if (const std::string problem = reader.add(signal, signals); !problem.empty())
    problems_.emplace_back(signal, problem);
}

void ScopeFeed::limit(const ServedSignals& signals) {
  if (columns().size() > most_columns) {
    problems_.emplace_back("signals", fmt::format("{} numbers are too many for one scope, which shows {} at most",
                                                  columns().size(), most_columns));
    reader_ = {};
  }
  most_kept_ = 4 * settings_.points;
  if (!settings_.trigger) return;
  const double rows = settings_.window / signals.schema.period.value();
  const bool fits = rows <= static_cast<double>(most_rows) &&
                    rows * static_cast<double>(columns().size()) <= static_cast<double>(most_numbers);
  if (!fits)
    problems_.emplace_back("window", "so long a window holds too many samples for a trigger: choose a shorter one");
  most_kept_ = fits ? static_cast<std::size_t>(rows) + 2 : 2;
}

void ScopeFeed::take(const TickSamples& samples) {
  const bool due = reader_.take(samples);
  if (!settings_.trigger) {
    if (!due) return;
    rows_.add(samples.time, reader_.latest());
    if (rows_.count() >= most_kept_) rows_ = rows_.thinned(most_kept_ / 2);
    return;
  }
  if (phase_ == Phase::resting) return;
  if (due) rows_.add(samples.time, reader_.latest());
  if (rows_.count() > 2 * most_kept_) rows_.drop(rows_.count() - most_kept_);
  if (trigger_.take(samples)) {
    level_before_ = level_;
    level_ = trigger_.latest().front();
  }
  gather(samples.time);
}

bool ScopeFeed::crossed() {
  const double level = settings_.trigger->level;
  const bool rises = level_before_ < level && level_ >= level, falls = level_before_ > level && level_ <= level;
  return (rises && settings_.trigger->edge != Trigger::Edge::falling) ||
         (falls && settings_.trigger->edge != Trigger::Edge::rising);
}

void ScopeFeed::gather(double now) {
  const Trigger& trigger = *settings_.trigger;
  if (phase_ == Phase::waiting && crossed()) {
    phase_ = Phase::gathering;
    fired_ = now;
  }
  if (phase_ == Phase::gathering && now >= fired_ - trigger.before + settings_.window) {
    finish(fired_, fired_ - trigger.before, now);
    phase_ = trigger.mode == Trigger::Mode::single ? Phase::resting : Phase::waiting;
  } else if (phase_ == Phase::waiting && trigger.mode == Trigger::Mode::automatic &&
             now >= shown_until_ + settings_.window) {
    finish(std::nullopt, now - settings_.window, now);
  }
}

/// Of several between two looks the last is shown.
void ScopeFeed::finish(std::optional<double> at, double from, double now) {
  Shown shown{true, at, Rows(columns().size())};
  std::vector<double> row(columns().size());
  for (std::size_t r = 0; r < rows_.count(); ++r) {
    if (rows_.time(r) < from || rows_.time(r) > from + settings_.window) continue;
    for (std::size_t c = 0; c < row.size(); ++c) row[c] = rows_.at(r, c);
    shown.rows.add(rows_.time(r), row);
  }
  shown.rows = shown.rows.thinned(settings_.points);
  sweep_ = std::move(shown);
  shown_until_ = now;
}

std::optional<ScopeFeed::Shown> ScopeFeed::show() {
  if (settings_.trigger) return std::exchange(sweep_, std::nullopt);
  if (rows_.count() == 0) return std::nullopt;
  const Rows rows = std::exchange(rows_, Rows(columns().size()));
  const double part = (rows.time(rows.count() - 1) - rows.time(0)) / settings_.window;
  const double most =
      std::min(static_cast<double>(most_kept_), std::ceil(part * static_cast<double>(settings_.points)));
  return Shown{false, std::nullopt, rows.thinned(std::max<std::size_t>(4, static_cast<std::size_t>(most)))};
}

} // namespace hilda::studio
