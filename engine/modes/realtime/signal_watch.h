#pragma once

#include "engine/host/process/signal_handlers.h"

#include <cstdint>
#include <string>

namespace hilda {

/// Next to a paced run, on the thread that attends it: a plugin that takes a signal takes the stop away. It watches
/// those that end, stop or crash a program, and restores the handlers that the process had when the run began.
class SignalWatch {
public:
  SignalWatch();
  /// Looks ten times a second, however often it is called, and puts back what has changed. True once: the first time.
  bool look();
  /// What had changed then: "signals were taken while the loop ran (SIGINT: ...), and are as before again".
  const std::string& text() const { return text_; }

private:
  SignalHandlers before_;
  std::int64_t looked_; ///< ns
  std::string text_;
};

} // namespace hilda
