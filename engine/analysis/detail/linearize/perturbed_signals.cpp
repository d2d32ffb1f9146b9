// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/linearize/perturbed_signals.h"

#include "engine/diagram/suggestion.h"

#include <fmt/format.h>

namespace hilda::analysis {
namespace {

double& element(Runtime& runtime, const PortRef& port, int at) {
  return static_cast<double*>(runtime.memory().span(port.block, port.slot, port.item).data)[at];
}

} // namespace

bool PerturbedSignals::find(System& system, const LinearizeOptions& options, Diagnostics& diagnostics) {
  for (const std::string& text : options.to) name(system, options, text, outputs_, diagnostics);
  for (const std::string& text : options.from) name(system, options, text, inputs_, diagnostics);
  if (!options.loop.empty()) {
    name(system, options, options.loop, inputs_, diagnostics);
    outputs_ = inputs_;
  }
  if (!diagnostics.ok()) return false;
  for (const SignalElement& input : inputs_) {
    const Place key = place_of(input.port);
    if (adders_.count(key) == 0) adders_.emplace(key, Perturbation(system, input));
  }
  return true;
}

void PerturbedSignals::name(const System& system, const LinearizeOptions& options, const std::string& text,
                            std::vector<SignalElement>& list, Diagnostics& diagnostics) {
  const std::vector<SignalElement> found = find_elements(system, text);
  if (found.empty()) {
    const std::string help = Suggestions().help(text, signal_names(system, text),
                                                "name a block's output, or one of its elements, such as arm.q[2]");
    diagnostics.error("linearize-signal", system.where, fmt::format("there is no output '{}'", text), help);
    return;
  }
  if (found.front().type.element != HILDA_F64) {
    diagnostics.error("linearize-signal", system.where, fmt::format("'{}' has no real numbers", text),
                      "choose a real signal");
    return;
  }
  if (!options.loop.empty() && found.size() > 1) {
    diagnostics.error("linearize-signal", system.where,
                      fmt::format("'{}' has {} numbers, and a loop is opened at one", text, found.size()),
                      fmt::format("name one of them, such as {}", found.front().name));
    return;
  }
  list.insert(list.end(), found.begin(), found.end());
}

void PerturbedSignals::add(Runtime& runtime, std::size_t input, double number) const {
  const BlockIndex adder = adders_.at(place_of(inputs_[input].port)).block();
  const int at = inputs_[input].element;
  element(runtime, {adder, Perturbation::cut_slot, -1}, at) = cut_ ? 1 : 0;
  element(runtime, {adder, Perturbation::addend_slot, -1}, at) = cut_.value_or(0) + number;
}

void PerturbedSignals::cut(Runtime& runtime) { cut_ = element(runtime, inputs_[0].port, inputs_[0].element); }

double PerturbedSignals::value(Runtime& runtime, std::size_t output) const {
  return element(runtime, cut_ ? outputs_[output].port : seen(outputs_[output]), outputs_[output].element);
}

/// Behind its perturbation, where it has one.
PortRef PerturbedSignals::seen(const SignalElement& output) const {
  const auto adder = adders_.find(place_of(output.port));
  return adder == adders_.end() ? output.port : PortRef{adder->second.block(), Perturbation::output_slot, -1};
}

std::vector<BlockIndex> PerturbedSignals::adding_blocks() const {
  std::vector<BlockIndex> blocks;
  for (const auto& [place, adder] : adders_) blocks.push_back(adder.block());
  return blocks;
}

std::vector<BlockIndex> PerturbedSignals::seen_blocks() const {
  std::vector<BlockIndex> blocks;
  for (const SignalElement& output : outputs_) blocks.push_back(seen(output).block);
  return blocks;
}

} // namespace hilda::analysis
