#include "engine/analyse/linearize/linearize.h"

#include "engine/analyse/linearize/influence.h"
#include "engine/analyse/linearize/limits_reached.h"
#include "engine/analyse/linearize/linearize_slope.h"
#include "engine/analyse/linearize/moving_states.h"
#include "engine/analyse/linearize/perturbation.h"
#include "engine/analyse/linearize/state_coordinates.h"
#include "engine/xml/suggestion.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace hilda {
namespace {

/// The system with a perturbation behind each input signal, at rest at its operating point.
class Experiment {
public:
  Experiment(System system, const LinearizeOptions& options, Diagnostics& diagnostics)
      : system_(std::move(system)), options_(options), diagnostics_(diagnostics) {}

  std::optional<Linearization> run() {
    if (!name_signals()) return std::nullopt;
    RuntimeOptions even;
    even.lanes = 1;                // states lie in a row
    even.solver = SolverKind::rk4; // of steps that follow an error, differences would be those of their errors
    runtime_ = Runtime::create(system_, even, diagnostics_);
    if (!runtime_ || !bring_to_time()) return std::nullopt;
    point_ = runtime_->checkpoint();
    reaching_ = influences(system_, seen_blocks());
    Linearization result;
    result.time = runtime_->time();
    result.at_limit = limits_reached(*runtime_, reaching_);
    LinearModel full;
    if (!discrete_model(full)) return std::nullopt;
    result.discrete = full.observable();
    result.moving = moving_states(*runtime_, reaching_, ticks_);
    runtime_->restore(point_);
    result.held = StateCoordinates(*runtime_, reaching_).held();
    if (purely_continuous(result.discrete)) result.continuous = continuous_model();
    runtime_->stop();
    if (!diagnostics_.ok()) return std::nullopt;
    return result;
  }

private:
  using Place = std::tuple<BlockIndex, SlotIndex, int>;
  static Place place_of(const PortRef& port) { return {port.block, port.slot, port.item}; }

  bool name_signals() {
    for (const std::string& text : options_.to) name(text, outputs_);
    for (const std::string& text : options_.from) name(text, inputs_);
    if (!options_.loop.empty()) {
      name(options_.loop, inputs_);
      outputs_ = inputs_;
    }
    if (!diagnostics_.ok()) return false;
    for (const SignalElement& input : inputs_) {
      const Place key = place_of(input.port);
      if (adders_.count(key) == 0) adders_.emplace(key, Perturbation(system_, input));
    }
    return true;
  }

  void name(const std::string& text, std::vector<SignalElement>& list) {
    const std::vector<SignalElement> found = find_elements(system_, text);
    if (found.empty()) {
      const std::string help = Suggestions().help(text, signal_names(system_, text),
                                                  "name a block's output, or one of its elements, such as arm.q[2]");
      diagnostics_.error("linearize-signal", system_.where, fmt::format("there is no output '{}'", text), help);
      return;
    }
    if (found.front().type.element != HILDA_F64) {
      diagnostics_.error("linearize-signal", system_.where, fmt::format("'{}' has no real numbers", text),
                         "choose a real signal");
      return;
    }
    if (!options_.loop.empty() && found.size() > 1) {
      diagnostics_.error("linearize-signal", system_.where,
                         fmt::format("'{}' has {} numbers, and a loop is opened at one", text, found.size()),
                         fmt::format("name one of them, such as {}", found.front().name));
      return;
    }
    list.insert(list.end(), found.begin(), found.end());
  }

  /// Runs to the asked time, in whole hyperperiods. At the start blocks only take up what their state begins with.
  bool bring_to_time() {
    if (!runtime_->start(diagnostics_)) return false;
    ticks_ = hyperperiod(system_);
    const double wanted = options_.time / (runtime_->base().value() * static_cast<double>(ticks_));
    const std::int64_t end = ticks_ * std::llround(wanted);
    while (runtime_->tick() < end)
      if (!runtime_->step()) return ended();
    if (!runtime_->compute()) return ended();
    const std::vector<std::string> outside = runtime_->without_checkpoint();
    for (const std::string& block : outside)
      diagnostics_.error("linearize-state", system_.where,
                         fmt::format("the state of '{}' cannot be read or set", block),
                         "replace the block by a simulated one");
    return outside.empty();
  }

  bool ended() {
    const Ending ending = runtime_->ending();
    diagnostics_.error("linearize-ended", system_.where,
                       fmt::format("the run ends at {} s{}: {}", ending.time,
                                   ending.block.empty() ? "" : fmt::format(", in '{}'", ending.block), ending.text),
                       "linearise at an earlier time");
    return false;
  }

  static double& element(Runtime& runtime, BlockIndex block, SlotIndex slot, int item, int at) {
    return static_cast<double*>(runtime.memory().span(block, slot, item).data)[at];
  }
  double& addend(Runtime& runtime, const SignalElement& input) const {
    const Place key = place_of(input.port);
    return element(runtime, adders_.at(key).block(), Perturbation::addend_slot, -1, input.element);
  }
  /// What the readers of an output see: behind its perturbation, where it has one.
  PortRef seen(const SignalElement& output) const {
    const Place key = place_of(output.port);
    const auto adder = adders_.find(key);
    return adder == adders_.end() ? output.port : PortRef{adder->second.block(), Perturbation::output_slot, -1};
  }
  double value(Runtime& runtime, const SignalElement& output) const {
    const PortRef port = seen(output);
    return element(runtime, port.block, port.slot, port.item, output.element);
  }
  std::vector<BlockIndex> seen_blocks() const {
    std::vector<BlockIndex> blocks;
    for (const SignalElement& output : outputs_) blocks.push_back(seen(output).block);
    return blocks;
  }

  /// From one place in time to the next: the outputs there, and the state afterwards.
  struct Outcome {
    Eigen::VectorXd outputs;
    std::vector<double> state, rates, before;
    bool whole = false;
  };
  Outcome outcome(Runtime& runtime, const StateCoordinates& coordinates, bool derivative) {
    Outcome o;
    if (derivative) o.before = coordinates.numbers();
    o.outputs.resize(static_cast<Eigen::Index>(outputs_.size()));
    for (std::int64_t k = 0; k < (derivative ? 1 : ticks_); ++k) {
      if (!runtime.compute()) return o;
      if (k == 0)
        for (std::size_t i = 0; i < outputs_.size(); ++i)
          o.outputs[static_cast<Eigen::Index>(i)] = value(runtime, outputs_[i]);
      if (!runtime.advance()) return o;
    }
    if (derivative)
      o.rates = coordinates.rates();
    else
      o.state = coordinates.numbers();
    o.whole = true;
    return o;
  }

  /// [A B; C D] column by column. `derivative`: of dx/dt, else of the next state.
  bool model(Runtime& runtime, bool derivative, LinearModel& model) {
    StateCoordinates coordinates(runtime, reaching_);
    const Eigen::Index n = coordinates.size(), m = static_cast<Eigen::Index>(inputs_.size());
    const Eigen::Index p = static_cast<Eigen::Index>(outputs_.size());
    runtime.restore(point_);
    Eigen::VectorXd scales = Eigen::VectorXd::Ones(n + m);
    for (Eigen::Index j = 0; j < n; ++j) scales[j] = coordinates.scale(j);
    const Outcome middle = outcome(runtime, coordinates, derivative);
    if (!middle.whole) return ended();
    Eigen::VectorXd sizes(n + p);
    sizes << coordinates.sizes(derivative ? middle.rates : middle.state), middle.outputs.cwiseAbs();
    Eigen::MatrixXd table(n + p, n + m);
    model.spread.resize(n + p, n + m);
    for (Eigen::Index j = 0; j < n + m; ++j) {
      const std::optional<Slope> column =
          slope([&](double h) { return deviation(runtime, coordinates, middle, j, h, derivative); }, sizes,
                options_.step * scales[j]);
      if (!column)
        return without_slope(j < n ? coordinates.names()[static_cast<std::size_t>(j)]
                                   : inputs_[static_cast<std::size_t>(j - n)].name);
      table.col(j) = column->value;
      model.spread.col(j) = column->error;
      for (Eigen::Index i = 0; i < n + p; ++i)
        if (column->kinks[static_cast<std::size_t>(i)]) model.kinks.emplace_back(i, j);
    }
    model.states = coordinates.names();
    for (const SignalElement& e : inputs_) model.inputs.push_back(e.name);
    for (const SignalElement& e : outputs_) model.outputs.push_back(e.name);
    model.A = table.topLeftCorner(n, n);
    model.B = table.topRightCorner(n, m);
    model.C = table.bottomLeftCorner(p, n);
    model.D = table.bottomRightCorner(p, m);
    return true;
  }

  /// By how much next state (or dx/dt) and outputs change when coordinate j, or input j - n, is moved by h.
  std::optional<Eigen::VectorXd> deviation(Runtime& runtime, StateCoordinates& coordinates, const Outcome& middle,
                                           Eigen::Index j, double h, bool derivative) {
    const Eigen::Index n = coordinates.size();
    runtime.go_back(point_);
    double* input = j < n ? nullptr : &addend(runtime, inputs_[static_cast<std::size_t>(j - n)]);
    if (input == nullptr)
      coordinates.move(j, h);
    else
      *input = h;
    const Outcome o = outcome(runtime, coordinates, derivative);
    if (input != nullptr) *input = 0.0;
    if (!o.whole) return std::nullopt;
    Eigen::VectorXd change(n + o.outputs.size());
    change << (derivative ? coordinates.rate_difference(middle.before, middle.rates, o.before, o.rates)
                          : coordinates.difference(middle.state, o.state)),
        o.outputs - middle.outputs;
    return change;
  }

  bool without_slope(const std::string& name) {
    diagnostics_.error(
        "linearize-slope", system_.where,
        fmt::format("the run ends, or numbers overflow, when '{}' is moved a little at {} s", name, point_time()),
        "take a smaller --step, another time, or a shorter period");
    return false;
  }
  double point_time() const { return (runtime_->base() * Rational(point_.tick)).value(); }

  bool discrete_model(LinearModel& result) {
    if (!model(*runtime_, false, result)) return false;
    result.period = (runtime_->base() * Rational(ticks_)).value();
    runtime_->restore(point_);
    return true;
  }

  /// Nothing that reaches the outputs happens at ticks alone.
  bool purely_continuous(const LinearModel& kept) {
    const StateCoordinates coordinates(*runtime_, reaching_);
    for (Eigen::Index i = 0; i < coordinates.size(); ++i)
      if (!coordinates.continuous(i) &&
          std::find(kept.states.begin(), kept.states.end(), coordinates.names()[static_cast<std::size_t>(i)]) !=
              kept.states.end())
        return false;
    for (const Wire& wire : system_.wires)
      if (system_.blocks[wire.to.block].continuous && !system_.blocks[wire.from.block].continuous &&
          is_moved(wire.from.block))
        return false;
    return true;
  }

  /// May an input, or a state that the solver carries, change what a block puts out? Not a constant's, nor a step's.
  bool is_moved(BlockIndex block) const {
    const Indexed<BlockIndex, bool> sources = influences(system_, {block});
    for (const auto& [place, adder] : adders_)
      if (sources[adder.block()]) return true;
    for (const BlockIndex b : sources.indices()) {
      if (!sources[b]) continue;
      const auto& slots = system_.blocks[b].type->slots;
      if (std::any_of(slots.begin(), slots.end(),
                      [](const Slot& slot) { return slot.role == HILDA_STATE && slot.is(HILDA_CONTINUOUS); }))
        return true;
    }
    return false;
  }

  /// Euler's first stage leaves dx/dt at the operating point in the derivatives' place.
  std::optional<LinearModel> continuous_model() {
    RuntimeOptions options;
    options.lanes = 1;
    options.solver = SolverKind::euler;
    const std::unique_ptr<Runtime> euler = Runtime::create(system_, options, diagnostics_);
    LinearModel full;
    if (!euler || !euler->start(diagnostics_)) return std::nullopt;
    const bool found = model(*euler, true, full);
    euler->stop();
    return found ? std::optional<LinearModel>(full.observable()) : std::nullopt;
  }

  System system_;
  const LinearizeOptions& options_;
  Diagnostics& diagnostics_;
  std::vector<SignalElement> inputs_, outputs_;
  std::map<Place, Perturbation> adders_; ///< by what they stand behind
  std::unique_ptr<Runtime> runtime_;
  Checkpoint point_;
  Indexed<BlockIndex, bool> reaching_; ///< by block: may it change an output?
  std::int64_t ticks_ = 1;
};

} // namespace

std::optional<Linearization> linearize(System system, const LinearizeOptions& options, Diagnostics& diagnostics) {
  return Experiment(std::move(system), options, diagnostics).run();
}

} // namespace hilda
