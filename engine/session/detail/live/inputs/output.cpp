// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/output.h"

#include "engine/base/error.h"
#include "engine/catalogue/signal_parts.h"
#include "engine/catalogue/signal_path.h"
#include "engine/run/plan.h"

namespace hilda::session {
namespace {

/// What a path names, as a path of an output: a port of a subsystem is that of the signal that passes through it.
std::string without_promise(const System& system, const std::string& path) {
  for (const Promise& promise : system.promises)
    if (promise.signal.block.valid() && begins_with_name(path, promise.port)) {
      PortRef whole = promise.signal;
      std::string part;
      for (const std::string& each : whole.part) part += each.starts_with('[') ? each : "." + each;
      whole.part.clear();
      return port_text(system, whole) + part + path.substr(promise.port.size());
    }
  return path;
}

const SystemSignal* longest_signal(const Runtime& runtime, const std::string& path) {
  const SystemSignal* found = nullptr;
  for (const SystemSignal& signal : runtime.signals())
    if (begins_with_name(path, signal.path) && (found == nullptr || signal.path.size() > found->path.size()))
      found = &signal;
  return found;
}

} // namespace

std::string Output::unit() const {
  const bool plain = type_.kind == HILDA_PLAIN && type_.unit && !type_.unit->dimensionless();
  return plain ? type_.unit->text() : "";
}

double Output::number(std::size_t element) const noexcept {
  const void* const at = span_.at(element);
  switch (span_.element) {
  case HILDA_I64:
  case HILDA_CHOICE: return static_cast<double>(*static_cast<const std::int64_t*>(at));
  case HILDA_U64: return static_cast<double>(*static_cast<const std::uint64_t*>(at));
  case HILDA_U8: return *static_cast<const std::uint8_t*>(at) != 0 ? 1 : 0;
  default: return *static_cast<const double*>(at);
  }
}

std::optional<Output> find_output(const Runtime& runtime, const std::string& path, Diagnostics& diagnostics,
                                  Location where) {
  const SystemSignal* signal = longest_signal(runtime, path);
  std::string named = path;
  if (signal == nullptr) {
    named = without_promise(runtime.system(), path);
    signal = longest_signal(runtime, named);
  }
  const auto refuse = [&](const std::string& what, const std::string& help) {
    diagnostics.error("unknown-signal", where, what, help);
    return std::nullopt;
  };
  if (signal == nullptr) {
    std::vector<std::string> all;
    for (const SystemSignal& each : runtime.signals()) all.push_back(each.path);
    const std::string near = nearest(path, all);
    return refuse("there is no signal " + in_quotes(path),
                  near.empty() ? "a signal is a block's output: its path and the output's name"
                               : "did you mean " + in_quotes(near) + "?");
  }
  std::string why, help;
  const std::optional<PartType> part = find_part(signal->type, parts_of(named.substr(signal->path.size())), why, help);
  if (!part) return refuse("there is no signal " + in_quotes(path) + ": " + why, help);
  Output output;
  output.path_ = path;
  output.type_ = part->type;
  output.span_ = signal->span;
  output.span_.data = signal->span.at(static_cast<std::size_t>(part->offset));
  output.span_.count = part->type.elements();
  return output;
}

} // namespace hilda::session
