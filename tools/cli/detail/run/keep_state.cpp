// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/run/keep_state.h"

#include "engine/session/verdict_text.h"
#include "tools/cli/detail/loading/watch_files.h"
#include "tools/cli/detail/program/output.h"
#include "tools/cli/detail/run/watch.h"

#include <chrono>
#include <cstdio>
#include <poll.h>

namespace hilda::cli {
namespace {

using Clock = std::chrono::steady_clock;

class EditedRun {
public:
  EditedRun(LiveSimulation& simulation, const DiagramArguments& diagram, const Interrupt& interrupt, ProgressLine& line)
      : simulation_(simulation), interrupt_(interrupt), line_(line), files_(diagram) {}

  void operator()() {
    files_.look_up();
    while (!interrupt_.flag()) {
      if (goes_on()) run();
      if (!goes_on() && !told_) tell_standing();
      pollfd changed{files_.descriptor(), POLLIN, 0};
      constexpr int a_moment = 200; // ms: a signal may come just before
      if (interrupt_.flag() || poll(&changed, 1, goes_on() ? 0 : a_moment) <= 0) continue;
      if (const std::string file = files_.settled(); !file.empty()) take(file);
    }
    line_.clear();
  }

private:
  bool goes_on() const { return !simulation_.ended() && simulation_.tick() < simulation_.last(); }

  /// As many ticks as take a twentieth of a second or so.
  void run() {
    using namespace std::chrono_literals;
    Diagnostics diagnostics;
    const Clock::time_point start = Clock::now();
    const SimulationResult& result =
        simulation_.run_to(std::min(simulation_.tick() + ticks_, simulation_.last()), diagnostics);
    const Clock::duration took = Clock::now() - start;
    if (took < 25ms && ticks_ < most_ticks) ticks_ *= 2;
    if (took > 100ms && ticks_ > 1) ticks_ /= 2;
    if (diagnostics.all().empty() && result.ending.kind != Ending::Kind::failed) return;
    line_.clear();
    print_diagnostics(diagnostics);
    if (result.ending.kind == Ending::Kind::failed) print_error(verdict_text(result.ending));
  }

  std::string place() const { return "t = " + decimal(simulation_.time()) + " s"; }

  void tell_standing() {
    told_ = true;
    line_.clear();
    tell_watch((simulation_.ended() ? "the run has ended at " : "its time is over at ") + place() +
               "; waiting for a change, Ctrl-C ends");
  }

  void take(const std::string& file) {
    line_.clear();
    Diagnostics diagnostics;
    std::vector<std::string> anew;
    const bool from_start = simulation_.ended();
    const bool taken = from_start ? simulation_.restart(diagnostics) : simulation_.reload(diagnostics, anew);
    files_.look_up();
    print_diagnostics(diagnostics);
    if (!taken) return tell_watch(file + " changed and has errors; the run stays as it was");
    for (const std::string& each : anew) std::fprintf(stderr, "restarts: %s\n", each.c_str());
    if (!from_start && !goes_on()) simulation_.go_on_as_long_again();
    tell_watch(file + " changed; the run " + (from_start ? "begins again" : "continues at " + place()));
    told_ = false;
  }

  static constexpr std::int64_t most_ticks = std::int64_t{1} << 40;
  LiveSimulation& simulation_;
  const Interrupt& interrupt_;
  ProgressLine& line_;
  WatchedFiles files_;
  std::int64_t ticks_ = 64; ///< between two looks
  bool told_ = false;
};

} // namespace

void follow_edits(LiveSimulation& simulation, const DiagramArguments& diagram, const Interrupt& interrupt,
                  ProgressLine& line) {
  EditedRun(simulation, diagram, interrupt, line)();
}

} // namespace hilda::cli
