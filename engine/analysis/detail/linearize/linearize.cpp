// SPDX-License-Identifier: BSD-3-Clause
#include "engine/analysis/linearize.h"

#include "engine/analysis/detail/linearize/influence.h"
#include "engine/analysis/detail/linearize/limits_reached.h"
#include "engine/analysis/detail/linearize/linearize_slope.h"
#include "engine/analysis/detail/linearize/moving_states.h"
#include "engine/analysis/detail/linearize/perturbed_signals.h"
#include "engine/analysis/detail/linearize/state_coordinates.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <utility>

namespace hilda::analysis {
namespace {

/// Far above what differences leave, and far below what a margin shows.
double tolerance_of(const LinearModel& looked) { return std::clamp(3 * looked.error(), 1e-6, 1e-3); }

bool alike(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, double tolerance) {
  if (a.size() == 0) return true;
  const double size = std::max(a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff());
  return (a - b).cwiseAbs().maxCoeff() <= tolerance * size;
}

/// Of a loop with a push at the first tick of a period and one that is held for all of it: it makes no difference, but
/// for the push itself.
bool acts_at_first_tick(const LinearModel& looked) {
  Eigen::VectorXd without = looked.D.col(1);
  without.tail(without.size() - 1).array() -= 1;
  const double tolerance = tolerance_of(looked);
  return alike(looked.B.col(0), looked.B.col(1), tolerance) && alike(looked.D.col(0), without, tolerance);
}

/// The signal is the same at all ticks of a period: there is nothing that holding it would change.
bool returns_evenly(const LinearModel& looked) {
  const Eigen::Index ticks = looked.C.rows();
  const double tolerance = tolerance_of(looked);
  return alike(looked.C, looked.C.row(0).replicate(ticks, 1), tolerance) &&
         alike(looked.D.col(1), looked.D.col(1).head(1).replicate(ticks, 1), tolerance);
}

/// The system with a perturbation behind each input signal, at rest at its operating point.
class Experiment {
public:
  Experiment(System system, const LinearizeOptions& options, Diagnostics& diagnostics)
      : system_(std::move(system)), options_(options), diagnostics_(diagnostics) {}

  std::optional<Linearization> run() {
    if (!signals_.find(system_, options_, diagnostics_)) return std::nullopt;
    RuntimeOptions even;
    even.lanes = 1;                // states lie in a row
    even.solver = SolverKind::rk4; // of steps that follow an error, differences would be those of their errors
    runtime_ = Runtime::create(system_, even, diagnostics_);
    find_blocks();
    if (!runtime_ || !bring_to_time()) return std::nullopt;
    point_ = runtime_->checkpoint();
    Linearization result;
    result.time = runtime_->time();
    result.at_limit = limits_reached(*runtime_, reaching_);
    LinearModel full;
    if (!discrete_model(full)) return std::nullopt;
    result.discrete = full.observable();
    if (!options_.loop.empty() && !look_at_ticks(result)) return std::nullopt;
    MovingStates moving = moving_states(*runtime_, reaching_, ticks_);
    result.moving = std::move(moving.for_now), result.counting = std::move(moving.for_ever);
    runtime_->restore(point_);
    result.held = StateCoordinates(*runtime_, reaching_).held();
    if (purely_continuous(result.discrete)) result.continuous = continuous_model();
    if (!options_.loop.empty() && !open_loop(result)) return std::nullopt;
    runtime_->stop();
    if (!diagnostics_.ok()) return std::nullopt;
    return result;
  }

private:
  /// What the model is of. What reaches the outputs and is not moved by an input counts with its states, unless its
  /// sample time is not a part of the common multiple of those between: that one is theirs alone.
  void find_blocks() {
    reaching_ = modelled_ = influences(system_, signals_.seen_blocks());
    Indexed<BlockIndex, bool> between = influenced(system_, signals_.adding_blocks());
    bool any = false;
    for (const BlockIndex b : between.indices()) any = (between[b] = between[b] && reaching_[b]) || any;
    if (!any) between = reaching_;
    for (const BlockIndex b : between.indices())
      if (const SystemBlock& block = system_.blocks[b]; between[b] && !block.continuous)
        ticks_ = std::lcm(ticks_, block.divider);
    for (const BlockIndex b : between.indices())
      if (const SystemBlock& block = system_.blocks[b]; !between[b] && !block.continuous && ticks_ % block.divider != 0)
        modelled_[b] = false;
  }

  /// Runs to the asked time, in whole periods of the model. At the start blocks only take up what their state begins
  /// with.
  bool bring_to_time() {
    if (!runtime_->start(diagnostics_)) return false;
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

  /// A column of the inputs' side: which input is moved, in the ticks from `first` to before `last`.
  struct Push {
    std::size_t input = 0;
    std::int64_t first = 0, last = 0;
    std::string name = {};
  };
  /// What a model is made of: dx/dt, or the state a period later and the outputs at so many ticks before.
  struct Wanted {
    bool rates = false;
    std::int64_t seen = 1;
    std::vector<Push> pushes;
  };
  Wanted held_inputs(bool rates) const {
    Wanted wanted{.rates = rates, .seen = 1, .pushes = {}};
    for (std::size_t i = 0; i < signals_.inputs().size(); ++i)
      wanted.pushes.push_back({i, 0, rates ? 1 : ticks_, signals_.inputs()[i].name});
    return wanted;
  }

  /// From one place in time to the next: the outputs on the way, and the state afterwards.
  struct Result {
    Eigen::VectorXd outputs;
    std::vector<double> state, rates, before;
    bool whole = false;
  };
  Result outcome(Runtime& runtime, const StateCoordinates& coordinates, const Wanted& wanted,
                 const Push* push = nullptr, double h = 0) {
    Result o;
    if (wanted.rates) o.before = coordinates.numbers();
    const std::size_t count = signals_.outputs().size();
    o.outputs.resize(static_cast<Eigen::Index>(count) * wanted.seen);
    for (std::int64_t k = 0; k < (wanted.rates ? 1 : ticks_); ++k) {
      for (std::size_t i = 0; i < signals_.inputs().size(); ++i) {
        const bool pushed = push != nullptr && push->input == i && k >= push->first && k < push->last;
        signals_.add(runtime, i, pushed ? h : 0.0);
      }
      if (!runtime.compute()) return o;
      for (std::size_t i = 0; k < wanted.seen && i < count; ++i)
        o.outputs[static_cast<Eigen::Index>(i + static_cast<std::size_t>(k) * count)] = signals_.value(runtime, i);
      if (!runtime.advance()) return o;
    }
    if (wanted.rates)
      o.rates = coordinates.rates();
    else
      o.state = coordinates.numbers();
    o.whole = true;
    return o;
  }

  /// [A B; C D] column by column.
  bool model(Runtime& runtime, const Wanted& wanted, LinearModel& model) {
    StateCoordinates coordinates(runtime, modelled_);
    const Eigen::Index n = coordinates.size(), m = static_cast<Eigen::Index>(wanted.pushes.size());
    const Eigen::Index p = static_cast<Eigen::Index>(signals_.outputs().size()) * wanted.seen;
    runtime.restore(point_);
    Eigen::VectorXd scales = Eigen::VectorXd::Ones(n + m);
    for (Eigen::Index j = 0; j < n; ++j) scales[j] = coordinates.scale(j);
    const Result middle = outcome(runtime, coordinates, wanted);
    if (!middle.whole) return ended();
    Eigen::VectorXd sizes(n + p);
    sizes << coordinates.sizes(wanted.rates ? middle.rates : middle.state), middle.outputs.cwiseAbs();
    Eigen::MatrixXd table(n + p, n + m);
    model.spread.resize(n + p, n + m);
    for (Eigen::Index j = 0; j < n + m; ++j) {
      const std::optional<Slope> column =
          slope([&](double h) { return deviation(runtime, coordinates, middle, j, h, wanted); }, sizes,
                options_.step * scales[j]);
      if (!column)
        return without_slope(j < n ? coordinates.names()[static_cast<std::size_t>(j)]
                                   : wanted.pushes[static_cast<std::size_t>(j - n)].name);
      table.col(j) = column->value;
      model.spread.col(j) = column->error;
      for (Eigen::Index i = 0; i < n + p; ++i) {
        if (column->kinks[static_cast<std::size_t>(i)]) model.kinks.emplace_back(i, j);
        if (column->jumps[static_cast<std::size_t>(i)]) model.jumps.emplace_back(i, j);
        if (column->steep[static_cast<std::size_t>(i)]) model.steep.emplace_back(i, j);
      }
    }
    model.states = coordinates.names();
    for (const Push& each : wanted.pushes) model.inputs.push_back(each.name);
    for (std::int64_t k = 0; k < wanted.seen; ++k)
      for (const SignalElement& e : signals_.outputs()) model.outputs.push_back(e.name);
    model.A = table.topLeftCorner(n, n);
    model.B = table.topRightCorner(n, m);
    model.C = table.bottomLeftCorner(p, n);
    model.D = table.bottomRightCorner(p, m);
    return true;
  }

  /// By how much next state (or dx/dt) and outputs change when coordinate j, or input j - n, is moved by h.
  std::optional<Eigen::VectorXd> deviation(Runtime& runtime, StateCoordinates& coordinates, const Result& middle,
                                           Eigen::Index j, double h, const Wanted& wanted) {
    const Eigen::Index n = coordinates.size();
    runtime.go_back(point_);
    const Push* push = j < n ? nullptr : &wanted.pushes[static_cast<std::size_t>(j - n)];
    if (push == nullptr) coordinates.move(j, h);
    const Result o = outcome(runtime, coordinates, wanted, push, h);
    if (!o.whole) return std::nullopt;
    Eigen::VectorXd change(n + o.outputs.size());
    change << (wanted.rates ? coordinates.rate_difference(middle.before, middle.rates, o.before, o.rates)
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
    if (!model(*runtime_, held_inputs(false), result)) return false;
    result.period = (runtime_->base() * Rational(ticks_)).value();
    runtime_->restore(point_);
    return true;
  }

  /// Is a loop's signal, held for a period, what it is in the running loop? Where not, the loop by ticks.
  bool look_at_ticks(Linearization& result) {
    constexpr std::int64_t most = 256;
    if (ticks_ == 1) return true;
    LinearModel looked;
    const std::string& name = signals_.inputs().front().name;
    if (!model(*runtime_, {.rates = false, .seen = ticks_, .pushes = {{0, 0, 1, name}, {0, 0, ticks_, name}}}, looked))
      return false;
    runtime_->restore(point_);
    result.signal_holds = acts_at_first_tick(looked) || returns_evenly(looked);
    if (result.signal_holds || ticks_ > most) return true;
    Wanted ticks{.rates = false, .seen = ticks_, .pushes = {}};
    for (std::int64_t k = 0; k < ticks_; ++k) ticks.pushes.push_back({0, k, k + 1, name});
    LinearModel& all = result.by_ticks.emplace();
    if (!model(*runtime_, ticks, all)) return false;
    all.period = result.discrete.period;
    runtime_->restore(point_);
    return true;
  }

  /// The loop is opened before differences are taken: where nothing comes back they are 0, whatever the loop's gain is,
  /// and an integrator's are those of an integrator.
  bool open_loop(Linearization& result) {
    if (!runtime_->compute()) return ended();
    signals_.cut(*runtime_);
    LinearModel full;
    if (!discrete_model(full)) return false;
    result.opened_discrete = returned(full);
    if (!result.continuous) return true;
    const std::optional<LinearModel> rates = continuous_model();
    if (!rates) return false;
    result.opened_continuous = returned(*rates);
    return true;
  }

  /// -L per what is sent.
  static LinearModel returned(LinearModel model) {
    model.C = -model.C, model.D = -model.D;
    return model.observable();
  }

  /// Nothing that reaches the outputs happens at ticks alone.
  bool purely_continuous(const LinearModel& kept) {
    const StateCoordinates coordinates(*runtime_, modelled_);
    for (Eigen::Index i = 0; i < coordinates.size(); ++i)
      if (!coordinates.continuous(i) &&
          std::find(kept.states.begin(), kept.states.end(), coordinates.names()[static_cast<std::size_t>(i)]) !=
              kept.states.end())
        return false;
    for (const Wire& wire : system_.wires)
      if (system_.blocks[wire.to.block].continuous && !system_.blocks[wire.from.block].continuous &&
          is_moved(wire.from.block))
        return false;
    const std::vector<BlockIndex> seen = signals_.seen_blocks();
    return std::none_of(seen.begin(), seen.end(),
                        [&](BlockIndex block) { return !system_.blocks[block].continuous && is_moved(block); });
  }

  /// May an input, or a state that the solver carries, change what a block puts out? Not a constant's, nor a step's.
  bool is_moved(BlockIndex block) const {
    const Indexed<BlockIndex, bool> sources = influences(system_, {block});
    for (const BlockIndex adder : signals_.adding_blocks())
      if (sources[adder]) return true;
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
    const bool found = model(*euler, held_inputs(true), full);
    euler->stop();
    return found ? std::optional<LinearModel>(full.observable()) : std::nullopt;
  }

  System system_;
  const LinearizeOptions& options_;
  Diagnostics& diagnostics_;
  PerturbedSignals signals_;
  std::unique_ptr<Runtime> runtime_;
  Checkpoint point_;
  Indexed<BlockIndex, bool> reaching_; ///< by block: may it change an output?
  Indexed<BlockIndex, bool> modelled_; ///< and do its states count?
  std::int64_t ticks_ = 1;             ///< the model's period
};

} // namespace

std::optional<Linearization> linearize(System system, const LinearizeOptions& options, Diagnostics& diagnostics) {
  return Experiment(std::move(system), options, diagnostics).run();
}

} // namespace hilda::analysis
