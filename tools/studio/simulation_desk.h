// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/session/live_simulation.h"
#include "tools/modules.h"
#include "tools/studio/detail/desks/desk.h"
#include "tools/studio/detail/desks/facts.h"
#include "tools/studio/detail/desks/marks.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace hilda::studio {

/// A simulation that clients work with: it runs, at a pace or as fast as it can, and between two pieces of it takes
/// what they ask for.
class SimulationDesk final : public Desk {
public:
  struct Options {
    bool running = false; ///< it begins at once
    bool stays = false;   ///< when its time is over it waits, for someone may go back
    double speed = 1;     ///< simulated s a real one; 0: as fast as it can
    /// Sources of the diagram that runs now, and its file as named by the user.
    std::function<std::pair<const Sources*, std::string>()> diagram;
    /// Texts of its parameters as its files have them, in the order of texts_of.
    std::function<std::vector<std::string>()> texts;
    std::function<std::string()> changed; ///< a file of the diagram that was changed since, or an empty text
    std::vector<LiveSetting> before;      ///< what was set before the first tick
    /// Another number whenever the diagram was edited and could run; none: nothing is edited.
    std::function<int()> edited;
    std::function<bool()> unsaved; ///< the files on the disk are not what is edited
  };
  SimulationDesk(LiveSimulation& simulation, Hub& hub, DeskHooks hooks, Options options);

  /// Until the run is over, or someone interrupts it.
  void work(const std::atomic<bool>& interrupt);

private:
  using Clock = std::chrono::steady_clock;
  using Handler = Json (SimulationDesk::*)(const Json& request);
  struct Entry {
    const char* op;
    Handler answer;
  };
  static const std::vector<Entry>& table();

  Json reply_to(const ClientRequest& request, const std::string& op) override;
  std::vector<std::string> may() const override;

  Json run(const Json& request);
  Json pause(const Json& request);
  Json step(const Json& request);
  Json back(const Json& request);
  Json set(const Json& request);
  Json get(const Json& request);
  Json changes(const Json& request);
  Json save(const Json& request);
  Json reload(const Json& request);
  Json restart(const Json& request);
  Json scene(const Json& request);
  Json summary(const Json& request);

  bool over() const { return simulation_.ended() || simulation_.tick() >= simulation_.last(); }
  std::int64_t ticks_of(double seconds) const;
  ServedDiagram served() const;
  void advance();
  void stand();
  void run_to(std::int64_t tick);
  void begin_pace();
  std::int64_t pace() const;
  void take_changed_files();
  void look_at_edits();
  void take_edits();
  bool edit_has_tick() const;
  bool restart_with_settings(Diagnostics& diagnostics);
  Json take_reloaded(bool taken, Diagnostics& diagnostics, const std::vector<std::string>& reset);
  Json changes_json() const;
  Json state() const;
  void tell_diagram();
  void tell_state();
  void tell_parameters();
  void tell_summary();
  void tell_in_passing();

  LiveSimulation& simulation_;
  const Options options_;
  bool running_;
  double speed_;
  static constexpr std::int64_t no_goal = std::numeric_limits<std::int64_t>::max();
  std::int64_t goal_ = no_goal; ///< the tick at which it is to pause, unless the diagram's time is over before
  std::int64_t ticks_ = 64;     ///< of a piece, as fast as it can
  Clock::time_point paced_since_, told_, summed_up_, measured_;
  std::int64_t paced_from_ = 0, measured_from_ = 0;
  double real_time_factor_ = 0;
  int revision_ = 0;
  int edited_ = 0, seen_ = 0; ///< the edit that runs; the one that was seen last, and when
  Clock::time_point seen_at_;
  std::int64_t edit_every_ = 0; ///< an edit waits for a tick that it has, too: every so many; 0: none does
  std::vector<ParameterFact> parameters_;
  std::vector<std::string> texts_;
  Json summary_, state_, changes_;
  Json hello_; ///< as clients have it by now
  Drawings drawings_;
  Marks marks_;
};

} // namespace hilda::studio
