// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"
#include "tools/studio/detail/clients/signal_reader.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hilda::studio {

/// What a scope waits for: a signal that crosses a level.
struct Trigger {
  enum class Edge : std::uint8_t { rising, falling, either };
  enum class Mode : std::uint8_t { automatic, normal, single };
  std::string signal;
  double level = 0; ///< SI
  Edge edge = Edge::rising;
  double before = 0; ///< s that a sweep shows of what came before
  Mode mode = Mode::automatic;
};

struct ScopeSettings {
  std::string name;
  std::vector<std::string> signals; ///< or parts of them
  double window = 1;                ///< s
  std::size_t points = 2000;        ///< of a column in a window
  std::optional<Trigger> trigger;
};

/// What a scope has gathered: rows of a time and one number for each column.
class Rows {
public:
  explicit Rows(std::size_t columns = 0) : columns_(columns) {}
  std::size_t count() const { return times_.size(); }
  std::size_t columns() const { return columns_; }
  double time(std::size_t row) const { return times_[row]; }
  double at(std::size_t row, std::size_t column) const { return values_[row * columns_ + column]; }
  void add(double time, std::span<const double> values);
  void clear();
  /// The first rows up to this one go.
  void drop(std::size_t rows);
  /// At most so many: two for each bin of neighbours, with the least and the greatest of each column in the order in
  /// which they came.
  Rows thinned(std::size_t most) const;

private:
  std::size_t columns_;
  std::vector<double> times_, values_;
};

/// One scope of a client: gathers samples at the full rate, looks for its trigger at each, and gives what is to be
/// shown, thinned to what a screen can show.
class ScopeFeed {
public:
  /// More than these is refused.
  static constexpr std::size_t most_columns = 64, most_rows = 1'000'000, most_numbers = 8'000'000;

  ScopeFeed(ScopeSettings settings, const ServedSignals& signals);
  /// Why it cannot be as it was asked for, signal by signal; empty: it can.
  const std::vector<std::pair<std::string, std::string>>& problems() const { return problems_; }
  const std::vector<FrameReader::Column>& columns() const { return reader_.columns(); }
  const ScopeSettings& settings() const { return settings_; }

  void take(const TickSamples& samples);

  /// What has come since the last time.
  struct Shown {
    bool sweep = false;
    std::optional<double> at; ///< s of the trigger
    Rows rows;
  };
  std::optional<Shown> show();

private:
  enum class Phase : std::uint8_t { waiting, gathering, resting };

  void add(FrameReader& reader, const std::string& signal, const ServedSignals& signals);
  void limit(const ServedSignals& signals);
  void gather(double time);
  bool crossed();
  void finish(std::optional<double> at, double from, double now);

  ScopeSettings settings_;
  FrameReader reader_, trigger_;
  std::vector<std::pair<std::string, std::string>> problems_;
  double level_, level_before_; ///< of the trigger's signal
  Rows rows_;                   ///< without a trigger: not shown yet; with one: as much of the past as a sweep needs
  std::optional<Shown> sweep_;
  Phase phase_ = Phase::waiting;
  double fired_ = 0, shown_until_ = 0; ///< s
  std::size_t most_kept_ = 0;
};

} // namespace hilda::studio
