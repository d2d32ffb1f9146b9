// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/detail/trim/trim_trial.h"

#include "engine/analysis/detail/linearize/state_coordinates.h"
#include "engine/base/error.h"
#include "engine/catalogue/signal_parts.h"
#include "engine/diagram/name_pattern.h"
#include "engine/diagram/suggestion.h"
#include "engine/quantity/no_names.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace hilda::analysis {
namespace {

double value_of(Runtime& runtime, const SignalElement& element) {
  const Span span = runtime.memory().span(element.port.block, element.port.slot, element.port.item);
  return static_cast<const double*>(span.data)[element.element];
}

bool is_carried(const BlockType& type) {
  return std::any_of(type.slots.begin(), type.slots.end(),
                     [](const Slot& slot) { return slot.role == HILDA_STATE && slot.is(HILDA_CONTINUOUS); });
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
  const Result<Value> read = read_value(wanted.value, NoNames());
  const Value* value = read ? &*read : nullptr;
  const auto refuse = [&](const std::string& why, const std::string& help) {
    diagnostics.error("trim-value", system_.where,
                      fmt::format("{} must be {}: {}", element.name, in_quotes(wanted.value), why), help);
  };
  if (value == nullptr || value->kind != Value::Kind::number || value->numbers.size() != 1 ||
      !std::isfinite(value->numbers.front()))
    return refuse("that is not a number", "write a number with a unit, such as 0.5 m");
  std::string why, help;
  const std::optional<PartType> part =
      find_part(element.type, {fmt::format("[{}]", element.element)}, why, help); // none of a matrix: one unit for all
  const Shared<Unit>& unit = part ? part->type.unit : element.type.unit;
  if (value->unit() && unit && !(*value->unit() == *unit))
    return refuse(fmt::format("that is in {}, and the signal in {}", value->unit_text(), unit->text()),
                  "give a value of the signal's unit");
  targets_.push_back({element, value->numbers.front()});
}

/// The solver carries it, or someone reads what it puts out.
bool TrimTrial::counts(BlockIndex block) const {
  return is_carried(*system_.blocks[block].type) ||
         std::any_of(system_.wires.begin(), system_.wires.end(),
                     [block](const Wire& wire) { return wire.from.block == block; });
}

bool TrimTrial::free(const std::string& name) const {
  return std::any_of(options_.moving.begin(), options_.moving.end(),
                     [&](const std::string& pattern) { return pattern_means(pattern, name); });
}

/// What may be at rest in a running system: states as coordinates, and the outputs of blocks that no block reads, as
/// such a block may keep its own figures.
class TrimTrial::Standing {
public:
  Standing(Runtime& runtime, const Indexed<BlockIndex, bool>& counted) : coordinates_(runtime, counted) {
    names_ = coordinates_.names();
    for (Eigen::Index i = 0; i < coordinates_.size(); ++i) carried_.push_back(coordinates_.continuous(i));
    for (const SystemSignal& signal : runtime.signals()) {
      const BlockType& type = *runtime.system().blocks[signal.block].type;
      if (counted[signal.block] || signal.type.element != HILDA_F64 || !steps_by_inputs(type)) continue;
      outputs_.push_back(signal.span);
      for (std::size_t i = 0; i < signal.span.count; ++i)
        names_.push_back(signal.span.count == 1 ? signal.path : fmt::format("{}[{}]", signal.path, i));
    }
    carried_.resize(names_.size(), false);
  }

  const std::vector<std::string>& names() const { return names_; }
  bool carried(Eigen::Index i) const { return carried_[static_cast<std::size_t>(i)]; }
  void note() { before_ = coordinates_.numbers(), put_out_ = outputs(); }
  Eigen::VectorXd sizes() const {
    Eigen::VectorXd all(static_cast<Eigen::Index>(names_.size()));
    all << coordinates_.sizes(before_), put_out_.cwiseAbs();
    return all;
  }
  /// Since note().
  Eigen::VectorXd change() const {
    Eigen::VectorXd all(static_cast<Eigen::Index>(names_.size()));
    all << coordinates_.difference(before_, coordinates_.numbers()), outputs() - put_out_;
    return all;
  }

private:
  static bool steps_by_inputs(const BlockType& type) {
    const auto has = [&](hilda_role role) {
      return std::any_of(type.slots.begin(), type.slots.end(), [&](const Slot& slot) { return slot.role == role; });
    };
    return has(HILDA_STATE) && has(HILDA_INPUT);
  }
  Eigen::VectorXd outputs() const {
    std::vector<double> all;
    for (const Span& span : outputs_) {
      const auto* numbers = static_cast<const double*>(span.data);
      all.insert(all.end(), numbers, numbers + span.count);
    }
    return Eigen::Map<const Eigen::VectorXd>(all.data(), static_cast<Eigen::Index>(all.size()));
  }

  StateCoordinates coordinates_;
  std::vector<Span> outputs_;
  std::vector<std::string> names_;
  std::vector<bool> carried_; ///< by the solver
  std::vector<double> before_;
  Eigen::VectorXd put_out_;
};

/// Between two computes, `ticks` apart: a block that steps its state where it puts out has stepped it by then, too.
void TrimTrial::measure(Runtime& runtime, std::int64_t ticks, bool carried_alone) {
  Indexed<BlockIndex, bool> counted(system_.blocks.size(), false);
  for (const BlockIndex b : system_.blocks.indices()) counted[b] = counts(b);
  Standing standing(runtime, counted);
  standing.note();
  const Eigen::VectorXd now = standing.sizes();
  if (sizes_.size() == 0) {
    sizes_ = now.cwiseMax(1.0);
    names_ = standing.names();
    const StateCoordinates all(runtime);
    names_.insert(names_.end(), all.names().begin(), all.names().end());
    std::sort(names_.begin(), names_.end());
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
  }
  if (!carried_alone)
    for (const Target& target : targets_)
      rest_.push_back({fmt::format("{} = {:.10g}", target.element.name, target.value),
                       value_of(runtime, target.element) - target.value, std::max(1.0, std::abs(target.value))});
  for (std::int64_t k = 0; k < ticks; ++k)
    if (!runtime.advance() || !runtime.compute()) return;
  const Eigen::VectorXd change = standing.change();
  const double time = (runtime.base() * Rational(ticks)).value();
  constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
  for (Eigen::Index i = 0; i < change.size(); ++i) {
    const std::string& name = standing.names()[static_cast<std::size_t>(i)];
    if ((carried_alone && !standing.carried(i)) || free(name)) continue;
    rest_.push_back({name, change[i] / time, sizes_[i], rounding * now[i] / time});
  }
}

void TrimTrial::check_moving(Diagnostics& diagnostics) const {
  for (const std::string& pattern : options_.moving)
    if (std::none_of(names_.begin(), names_.end(),
                     [&](const std::string& name) { return pattern_means(pattern, name); }))
      diagnostics.error("trim-moving", system_.where, "there is no state " + in_quotes(pattern),
                        Suggestions().help(pattern, names_, "name a state, or a pattern such as 'place.*'"));
}

/// One run of a few ticks; false where it ends before, `why` has the reason.
bool TrimTrial::run(const std::vector<ParameterText>& texts, SolverKind solver, std::int64_t ticks, bool carried_alone,
                    std::string& why) {
  Diagnostics found;
  const std::optional<ParameterChange> change = change_parameters(system_, dependencies_, texts, found);
  std::unique_ptr<Runtime> runtime;
  if (change) {
    System system = system_;
    adopt(system, *change);
    RuntimeOptions even;
    even.lanes = 1; // states lie in a row
    even.solver = solver;
    runtime = Runtime::create(std::move(system), even, found);
  }
  if (!runtime || !runtime->start(found)) {
    why = found.text();
    return false;
  }
  if (runtime->compute()) measure(*runtime, ticks, carried_alone);
  runtime->stop();
  const Ending ending = runtime->ending();
  if (ending.kind == Ending::Kind::none) return true;
  why = fmt::format("{}: {}", ending.block, ending.text);
  return false;
}

/// Euler's step is dx/dt itself, so that what it leaves in place is at rest with every solver; that of a higher order
/// has its own fixed points, far from rest. Over many ticks it would grow where RK4 does not.
std::optional<Eigen::VectorXd> TrimTrial::distance(const std::vector<ParameterText>& texts, std::string& why) {
  ++trials_;
  rest_.clear();
  const std::int64_t ticks = hyperperiod(system_);
  if (!run(texts, SolverKind::euler, 1, ticks > 1, why)) return std::nullopt;
  if (ticks > 1 && !run(texts, SolverKind::rk4, ticks, false, why)) return std::nullopt;
  Eigen::VectorXd all(static_cast<Eigen::Index>(rest_.size()));
  for (std::size_t i = 0; i < rest_.size(); ++i) all[static_cast<Eigen::Index>(i)] = rest_[i].change / rest_[i].size;
  return all;
}

} // namespace hilda::analysis
