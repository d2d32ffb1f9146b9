// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/linearize/signal_elements.h"

#include "engine/catalogue/signal_parts.h"
#include "engine/catalogue/signal_path.h"
#include "engine/diagram/name_pattern.h"
#include "engine/run/plan.h"

#include <fmt/format.h>
#include <functional>
#include <optional>
#include <utility>

namespace hilda::analysis {
namespace {

/// A signal by a name that people use for it, and which part of the output that is.
struct NamedSignal {
  std::string name;
  PortRef port;
  SignalType type; ///< of the output
  std::vector<std::string> part;
};

void each_output(const System& system, const std::function<void(const NamedSignal&)>& take) {
  for (const BlockIndex b : system.blocks.indices())
    for (const SystemBlock::Port& port : system.blocks[b].ports) {
      if (system.blocks[b].type->slots[port.slot].role != HILDA_OUTPUT) continue;
      const PortRef ref{b, port.slot, port.item};
      take({port_text(system, ref), ref, port.type, {}});
    }
}

void each_promise(const System& system, const std::function<void(const NamedSignal&)>& take) {
  for (const Promise& promise : system.promises) {
    if (!promise.signal.block.valid()) continue;
    PortRef whole = promise.signal;
    whole.part.clear();
    if (const SystemBlock::Port* port = find_port(system.blocks[whole.block], whole))
      take({promise.port, whole, port->type, promise.signal.part});
  }
}

std::string element_name(const std::string& path, const SignalType& type, int element) {
  if (const auto names = element_names(kind_name(type.kind)); static_cast<std::size_t>(element) < names.size())
    return fmt::format("{}.{}", path, names[static_cast<std::size_t>(element)]);
  if (type.rows * type.cols == 1) return path;
  if (type.cols == 1) return fmt::format("{}[{}]", path, element);
  return fmt::format("{}[{},{}]", path, element % type.rows, element / type.rows);
}

/// Elements of one signal, all or those of a part; none where it has no such part.
std::vector<SignalElement> elements_in(const System& system, const NamedSignal& signal, const std::string& suffix) {
  std::vector<std::string> part = signal.part;
  for (std::string& each : parts_of(suffix)) part.push_back(std::move(each));
  std::string why, help;
  const std::optional<PartType> range = find_part(signal.type, part, why, help);
  if (!range) return {};
  std::vector<SignalElement> found;
  const std::string path = port_text(system, signal.port);
  for (int e = range->offset; e < range->offset + range->type.rows * range->type.cols; ++e)
    found.push_back({signal.port, signal.type, e, element_name(path, signal.type, e)});
  return found;
}

} // namespace

std::vector<SignalElement> find_elements(const System& system, const std::string& text) {
  std::vector<SignalElement> found, under;
  std::size_t longest = 0;
  const bool path = SignalPath::parse(text).has_value();
  const auto take = [&](const NamedSignal& signal) {
    if (!path || signal.name.size() <= longest || !begins_with_name(text, signal.name)) return;
    std::vector<SignalElement> all = elements_in(system, signal, text.substr(signal.name.size()));
    if (all.empty()) return;
    longest = signal.name.size();
    found = std::move(all);
  };
  each_output(system, take);
  if (found.empty()) each_promise(system, take);
  if (!found.empty()) return found;
  each_output(system, [&](const NamedSignal& signal) {
    if (signal.type.element != HILDA_F64) return;
    for (SignalElement& each : elements_in(system, signal, ""))
      if (pattern_means(text, each.name)) under.push_back(std::move(each));
  });
  return under;
}

std::vector<std::string> signal_names(const System& system, const std::string& text) {
  std::vector<std::string> names;
  const bool path = SignalPath::parse(text).has_value();
  const auto take = [&](const NamedSignal& signal) {
    names.push_back(signal.name);
    if (!path || !begins_with_name(text, signal.name)) return;
    for (const SignalElement& each : elements_in(system, signal, "")) names.push_back(each.name);
    for (const std::string& part : part_names())
      if (!elements_in(system, signal, "." + part).empty()) names.push_back(signal.name + "." + part);
  };
  each_output(system, take);
  each_promise(system, take);
  return names;
}

} // namespace hilda::analysis
