#include "engine/modes/realtime/signal_watch.h"

#include "engine/modes/realtime/machine/monotonic.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hilda {

namespace {
constexpr std::int64_t signals_every = second_ns / 10; // one look takes 13 system calls
}

SignalWatch::SignalWatch()
    : before_(SignalHandlers::current(SignalHandlers::Which::steering)), looked_(monotonic_ns()) {}

bool SignalWatch::look() {
  const std::int64_t now = monotonic_ns();
  if (now - looked_ < signals_every) return false;
  looked_ = now;
  const std::vector<std::string> changed = before_.put_back(SignalHandlers::Which::steering);
  if (changed.empty() || !text_.empty()) return false;
  text_ = fmt::format("a plugin has taken signals while the loop ran ({}); they are as before again",
                      fmt::join(changed, "; "));
  return true;
}

} // namespace hilda
