// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/detail/process/process_state.h"
#include "engine/modules.h"

#include <cstdint>
#include <string>
#include <vector>

namespace hilda::base {

/// A call of a plugin's code, as RunningCode has it.
struct PluginCall {
  const char *plugin = nullptr, *block = nullptr, *type = nullptr, *phase = nullptr;
};

/// What calls of plugins have changed of what belongs to the whole process. It is as before again.
struct ProcessChange {
  std::string plugin, block, type, phase; ///< of the call; all are empty where it does not show which call it was
  std::string text;                       ///< "SIGINT: hilda's handler -> SIG_IGN; ..."
  std::uint64_t calls = 0;                ///< since the look before: it was one of them, the last is named
  bool alone = true;                      ///< false: other threads called plugins at that time, too
};

/// While it lives, what this thread's calls of plugins change of the process is found and put back: of the calls around
/// which a RunningMark is, so outside of the loop. The reference is the process as it was when the watch began, no
/// matter what had set it up. A watch within another one of its thread adds nothing.
class ProcessWatch {
public:
  enum class Looks : std::uint8_t {
    some, ///< after each call; after one of 64 once the process has made 2000
    each, ///< after each call, at every signal: where devices move
    asked ///< the same as some, and not at the end but by look_now: around a loop
  };
  explicit ProcessWatch(Looks looks = Looks::some);
  /// `which`: of the signals that are known.
  ProcessWatch(Looks looks, SignalHandlers::Which which);
  ~ProcessWatch();
  ProcessWatch(const ProcessWatch&) = delete;
  ProcessWatch& operator=(const ProcessWatch&) = delete;

  /// What the calls of this thread have changed since it was asked last. Looks also at what looks after single calls
  /// spare, which is then that plugin's.
  static std::vector<ProcessChange> changes(const std::string& plugin = {});
  /// The same by a smaller look; `locale`: see ProcessState.
  std::vector<ProcessChange> look_now(SignalHandlers::Which which, bool locale);
  /// What was found since, without another look.
  static std::vector<ProcessChange> found();
  /// After a call of a plugin on this thread; nothing where no one watches.
  static void after_call(const PluginCall& call) noexcept;

private:
  void look(SignalHandlers::Which which, const PluginCall& call, bool locale = true);

  ProcessWatch* const outer_;
  const Looks looks_;
  std::uint64_t calls_ = 0; ///< since the last look
  ThreadState thread_;
  std::vector<ProcessChange> changes_;
};

} // namespace hilda::base
