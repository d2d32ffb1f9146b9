#pragma once

#include "tools/studio/clients/rows.h"
#include "tools/studio/clients/signal_reader.h"

#include <optional>
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
