#include "engine/analyse/trim/trim_trial.h"

#include "engine/analyse/linearize/state_coordinates.h"
#include "engine/diagnostics/complaint.h"
#include "engine/model/name_pattern.h"
#include "engine/signals/signal_parts.h"
#include "engine/value/no_names.h"
#include "engine/xml/suggestion.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace hilda {
namespace {

double value_of(Runtime& runtime, const SignalElement& element) {
  const Span span = runtime.memory().span(element.port.block, element.port.slot, element.port.item);
  return static_cast<const double*>(span.data)[element.element];
}

} // namespace

TrimTrial::TrimTrial(const System& system, const TrimOptions& options, Diagnostics& diagnostics)
    : system_(system), options_(options), dependencies_(system) {
  for (const WantedValue& wanted : options.want) add_target(wanted, diagnostics);
}

void TrimTrial::add_target(const WantedValue& wanted, Diagnostics& diagnostics) {
  const std::vector<SignalElement> found = find_elements(system_, wanted.signal);
  if (found.size() != 1 || found.front().type.element != HILDA_F64) {
    const std::string what = found.empty() ? "there is no signal " + in_quotes(wanted.signal)
                                           : in_quotes(wanted.signal) + " is not one real number";
    diagnostics.error("trim-signal", system_.where, what,
                      found.size() > 1 ? "name one of them, such as " + found.front().name
                                       : Suggestions().help(wanted.signal, signal_names(system_, wanted.signal),
                                                            "name an output, or an element of one"));
    return;
  }
  const SignalElement& element = found.front();
  const Outcome<Value> read = read_value(wanted.value, NoNames());
  const Value* value = read ? &*read : nullptr;
  const auto refuse = [&](const std::string& why, const std::string& help) {
    diagnostics.error("trim-value", system_.where,
                      fmt::format("{} shall be {}: {}", element.name, in_quotes(wanted.value), why), help);
  };
  if (value == nullptr || value->kind != Value::Kind::number || value->numbers.size() != 1 ||
      !std::isfinite(value->numbers.front()))
    return refuse("that is no number", "write a number with a unit, such as 0.5 m");
  std::string why, help;
  const std::optional<PartType> part =
      find_part(element.type, {fmt::format("[{}]", element.element)}, why, help); // none of a matrix: one unit for all
  const Shared<Unit>& unit = part ? part->type.unit : element.type.unit;
  if (value->unit() && unit && !(*value->unit() == *unit))
    return refuse(fmt::format("that is in {}, and the signal in {}", value->unit_text(), unit->text()),
                  "give a value of the signal's unit");
  targets_.push_back({element, value->numbers.front()});
}

/// The solver carries it, or somebody reads what it puts out.
bool TrimTrial::counts(BlockIndex block) const {
  const BlockType& type = *system_.blocks[block].type;
  const bool carried = std::any_of(type.slots.begin(), type.slots.end(), [](const Slot& slot) {
    return slot.role == HILDA_STATE && slot.is(HILDA_CONTINUOUS);
  });
  return carried || std::any_of(system_.wires.begin(), system_.wires.end(),
                                [block](const Wire& wire) { return wire.from.block == block; });
}

void TrimTrial::measure(Runtime& runtime) {
  Indexed<BlockIndex, bool> counted(system_.blocks.size(), false);
  for (const BlockIndex b : system_.blocks.indices()) counted[b] = counts(b);
  const StateCoordinates coordinates(runtime, counted);
  const std::vector<double> before = coordinates.numbers();
  const Eigen::VectorXd sizes = coordinates.sizes(before);
  for (const Target& target : targets_)
    rest_.push_back({fmt::format("{} = {:.10g}", target.element.name, target.value),
                     value_of(runtime, target.element) - target.value, std::max(1.0, std::abs(target.value))});
  const std::int64_t ticks = hyperperiod(system_);
  if (!runtime.advance()) return;
  for (std::int64_t k = 1; k < ticks; ++k)
    if (!runtime.step()) return;
  const Eigen::VectorXd change = coordinates.difference(before, coordinates.numbers());
  const double time = (runtime.base() * Rational(ticks)).value();
  for (Eigen::Index i = 0; i < change.size(); ++i) {
    const std::string& name = coordinates.names()[static_cast<std::size_t>(i)];
    const bool free = std::any_of(options_.moving.begin(), options_.moving.end(),
                                  [&](const std::string& pattern) { return pattern_means(pattern, name); });
    if (!free) rest_.push_back({name, change[i] / time, std::max(1.0, sizes[i])});
  }
}

std::optional<Eigen::VectorXd> TrimTrial::distance(const std::vector<ParameterText>& texts, std::string& why) {
  ++trials_;
  rest_.clear();
  Diagnostics found;
  const std::optional<ParameterChange> change = change_parameters(system_, dependencies_, texts, found);
  std::unique_ptr<Runtime> runtime;
  if (change) {
    System system = system_;
    adopt(system, *change);
    RuntimeOptions even;
    even.lanes = 1;                // states lie in a row
    even.solver = SolverKind::rk4; // what rests, rests with every solver
    runtime = Runtime::create(std::move(system), even, found);
  }
  if (!runtime || !runtime->start(found)) {
    why = found.text();
    return std::nullopt;
  }
  if (runtime->compute()) measure(*runtime);
  runtime->stop();
  const Ending ending = runtime->ending();
  if (ending.kind != Ending::Kind::none) {
    why = fmt::format("{}: {}", ending.block, ending.text);
    return std::nullopt;
  }
  Eigen::VectorXd all(static_cast<Eigen::Index>(rest_.size()));
  for (std::size_t i = 0; i < rest_.size(); ++i) all[static_cast<Eigen::Index>(i)] = rest_[i].change / rest_[i].size;
  return all;
}

} // namespace hilda
