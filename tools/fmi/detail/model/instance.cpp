// SPDX-License-Identifier: BSD-3-Clause
#include "tools/fmi/detail/model/instance.h"

#include "engine/base/characters.h"
#include "engine/base/error.h"
#include "engine/diagram/used_plugins.h"
#include "engine/session/find_input.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <utility>

namespace hilda::fmi {
namespace {

constexpr const char* phase_names[] = {"instantiated", "in initialization mode", "running", "terminated"};

hilda_element element_of(Kind kind) {
  switch (kind) {
  case Kind::integer: return HILDA_I64;
  case Kind::whole: return HILDA_U64;
  case Kind::boolean: return HILDA_U8;
  default: return HILDA_F64;
  }
}

Refused not_taken(const Input& input, Written why, const std::vector<double>& numbers) {
  return refusal("fmi-value", input.refusal(why, numbers), "give other numbers");
}

} // namespace

Refused refusal(const char* code, const std::string& what, const std::string& help) {
  return Refused{fmt::format("error[{}]: {}\n  help: {}", code, what, help)};
}

LoadOptions Package::options() const {
  LoadOptions options;
  options.mode = mode;
  options.rig = rig;
  options.settings = settings;
  options.overlays = overlays;
  options.recorded = &files;
  return options;
}

Instance::Instance(const Catalogue& catalogue, std::shared_ptr<const Package> package)
    : catalogue_(catalogue), package_(std::move(package)) {
  load();
  const std::string token = token_of(variables_);
  if (token != package_->token)
    throw refusal(
        "fmi-variables",
        fmt::format("the diagram in resources/ has the token {}, and the description has {}", token, package_->token),
        "leave the FMU's files as they are; export the diagram again where it has changed");
}

std::string Instance::warnings() const { return diagram_->diagnostics().text(); }

std::string Instance::process_changes() {
  const std::vector<std::string> changes = watch_.found();
  if (changes.empty()) return {};
  std::set<std::string> names;
  for (const std::string& path : used_plugins(runtime_->system())) names.insert(std::filesystem::path(path).filename());
  Diagnostics diagnostics;
  for (const std::string& change : changes)
    diagnostics.warning("block-process", runtime_->system().where, change,
                        fmt::format("hilda check --audit names the block of the diagram; the plugins of this FMU are: "
                                    "{}",
                                    fmt::join(names, ", ")));
  return diagnostics.text();
}

void Instance::load() {
  LoadOptions options = package_->options();
  for (const auto& [reference, text] : settings_) options.settings.push_back(variable(reference).name + "=" + text);
  auto diagram = std::make_unique<LoadedDiagram>(catalogue_);
  diagram->load(package_->diagram, options);
  std::unique_ptr<Runtime> runtime = diagram->ok() ? start_runtime(*diagram) : nullptr;
  if (!runtime) throw Refused{diagram->diagnostics().text()};
  auto tuning = std::make_unique<Tuning>(*runtime);
  std::string error;
  std::vector<Variable> variables = list_variables(*runtime, *tuning, *diagram->sources().files().front(), error);
  if (!error.empty()) throw Refused{error};
  if (!variables_.empty() && token_of(variables) != package_->token)
    throw refusal("fmi-shape", "the parameters that were set change the kind or the shape of variables",
                  "export the diagram with these values: hilda export-fmu --set");
  if (runtime_) tuning_->close(), runtime_->stop();
  tuning_ = std::move(tuning);
  runtime_ = std::move(runtime);
  diagram_ = std::move(diagram);
  variables_ = std::move(variables);
  kept_.reset();
  returned_ = -longest_replay;
  returns_ = runtime_->without_checkpoint().empty();
  chosen_.clear();
  stale_ = computed_ = false;
  alive_ = true;
}

const char* Instance::name_of(Phase phase) { return phase_names[static_cast<std::size_t>(phase)]; }

void Instance::need(Phase least, Phase most, const char* what) const {
  if (phase_ < least || phase_ > most)
    throw refusal("fmi-order", fmt::format("{} is not allowed: the instance is {}", what, name_of(phase_)),
                  least == most ? fmt::format("call it while the instance is {}", name_of(least))
                                : fmt::format("call it while the instance is {} to {}", name_of(least), name_of(most)));
}

void Instance::set_start(double start) {
  need(Phase::instantiated, Phase::instantiated, "giving a start time");
  if (!std::isfinite(start))
    throw refusal("fmi-value", fmt::format("the start time is {}", start), "give a finite number");
  start_ = start;
}

void Instance::begin_initialisation() {
  need(Phase::instantiated, Phase::instantiated, "EnterInitializationMode");
  phase_ = Phase::initialising;
}

void Instance::end_initialisation() {
  need(Phase::initialising, Phase::initialising, "ExitInitializationMode");
  if (stale_) load();
  phase_ = Phase::running;
}

void Instance::terminate() {
  need(Phase::initialising, Phase::running, "Terminate");
  phase_ = Phase::ended;
}

void Instance::reset() {
  settings_.clear();
  start_ = 0;
  load();
  phase_ = Phase::instantiated;
}

const Variable& Instance::variable(std::uint32_t reference) const {
  const auto after = std::upper_bound(variables_.begin(), variables_.end(), reference,
                                      [](std::uint32_t r, const Variable& v) { return r < v.reference; });
  if (after != variables_.begin()) {
    const Variable& found = *std::prev(after);
    if (reference - found.reference < found.size()) return found;
  }
  throw refusal("fmi-reference",
                fmt::format("there is no variable with the value reference {}; the largest is {}", reference,
                            variables_.back().reference + variables_.back().size() - 1),
                "take value references from modelDescription.xml");
}

std::vector<double> Instance::numbers_of(const Variable& variable) const {
  if (const auto chosen = chosen_.find(variable.reference); chosen != chosen_.end()) return chosen->second;
  if (variable.input == nullptr) return variable.start;
  std::vector<double> numbers;
  const Span& span = variable.input->targets().front().span;
  std::vector<std::uint64_t> words(span.count);
  read_words(span, words);
  for (const std::uint64_t word : words) {
    switch (variable.input->element()) {
    case HILDA_I64: numbers.push_back(static_cast<double>(static_cast<std::int64_t>(word))); break;
    case HILDA_U64:
    case HILDA_U8: numbers.push_back(static_cast<double>(word)); break;
    default: numbers.push_back(std::bit_cast<double>(word));
    }
  }
  return numbers;
}

void Instance::read(std::uint32_t reference, std::span<double> numbers) {
  const Variable* found = &variable(reference);
  if (stale_ && !found->settable()) {
    load();
    found = &variable(reference);
  }
  std::size_t element = reference - found->reference;
  if (found->settable() && !computed_) tuning_->take(nullptr);
  if (found->output && phase_ != Phase::instantiated) compute_outputs();
  const bool parameter = found->settable() || found->causality == Causality::calculated;
  const std::vector<double> held = parameter ? numbers_of(*found) : std::vector<double>();
  for (double& number : numbers) {
    if (element >= found->size())
      throw refusal(
          "fmi-count",
          fmt::format("{} has {} elements, and {} are asked for", in_quotes(found->name), found->size(), element + 1),
          "ask for as many as the description has");
    if (found->causality == Causality::independent)
      number = time();
    else
      number = found->output ? found->output->number(element) : held.at(element);
    ++element;
  }
}

Refused Instance::read_only(const Variable& variable) {
  static constexpr const char* kinds[] = {
      "the time", "an input", "an output", "a parameter", "calculated of other parameters", "computed by the diagram"};
  const bool calculated = variable.causality == Causality::calculated;
  return refusal("fmi-read-only",
                 fmt::format("{} cannot be set: it is {}", in_quotes(variable.name),
                             kinds[static_cast<std::size_t>(variable.causality)]),
                 calculated ? "set those, or export the diagram with a value for it: hilda export-fmu --set"
                            : "set inputs and parameters");
}

void Instance::write(std::uint32_t reference, std::span<const double> numbers) {
  const Variable& found = variable(reference);
  if (!found.settable()) throw read_only(found);
  if (reference - found.reference + numbers.size() > found.size())
    throw refusal("fmi-count",
                  fmt::format("{} has {} elements, and {} are given", in_quotes(found.name), found.size(),
                              reference - found.reference + numbers.size()),
                  "give as many as the description has");
  need(Phase::instantiated, Phase::running, "setting a variable");
  if (phase_ == Phase::running && !found.tunable)
    throw refusal("fmi-fixed", fmt::format("{} is fixed, and the instance is running", in_quotes(found.name)),
                  "set it before ExitInitializationMode");
  if (found.kind == Kind::choice && (numbers[0] < 1 || numbers[0] > static_cast<double>(found.choices.size())))
    throw refusal("fmi-value",
                  fmt::format("{} would be {}, but its values are 1 to {}", in_quotes(found.name), numbers[0],
                              found.choices.size()),
                  "give a value of its enumeration");
  change(found, reference, numbers);
}

void Instance::change(const Variable& variable, std::uint32_t reference, std::span<const double> numbers) {
  if (variable.kind == Kind::choice) {
    settings_[variable.reference] = variable.choices.at(static_cast<std::size_t>(numbers[0]) - 1);
    stale_ = true;
    return;
  }
  if (variable.input != nullptr && phase_ == Phase::running) {
    uncompute();
    kept_.reset();
    tuning_->take(nullptr); // elements may come one by one
  }
  std::vector<double> all = numbers_of(variable);
  std::copy(numbers.begin(), numbers.end(), all.begin() + (reference - variable.reference));
  if (variable.input != nullptr) {
    const InputNumbers given{variable.input.get(), all};
    Diagnostics diagnostics;
    const Written looked = variable.input->look(all);
    if (looked != Written::taken) throw not_taken(*variable.input, looked, all);
    if (variable.causality == Causality::parameter && !tuning_->try_numbers({&given, 1}, diagnostics))
      throw Refused{diagnostics.text()};
    if (phase_ == Phase::running) {
      const Written done = variable.input->write(all);
      if (done != Written::taken) throw not_taken(*variable.input, done, all);
      return;
    }
  }
  for (const double number : all) // a mass may be infinite; blocks say what they take
    if (std::isnan(number))
      throw refusal("fmi-value", fmt::format("{} would be {}", in_quotes(variable.name), number), "give a number");
  const hilda_element element = element_of(variable.kind);
  std::vector<std::uint64_t> words;
  for (const double number : all) words.push_back(word_of(element, number));
  settings_[variable.reference] = setting_text(variable.rows, variable.cols, element, variable.unit, words);
  chosen_[variable.reference] = std::move(all);
  stale_ = true;
}

const std::string& Instance::read_text(std::uint32_t reference) {
  if (stale_ && !variable(reference).settable()) load();
  const Variable& found = variable(reference);
  const auto set = settings_.find(found.reference);
  return set != settings_.end() ? set->second : found.text;
}

void Instance::write_text(std::uint32_t reference, const std::string& text) {
  const Variable& found = variable(reference);
  if (!found.settable()) throw read_only(found);
  need(Phase::instantiated, Phase::initialising, "setting a text");
  if (const std::size_t bad = first_bad_byte(text); bad != std::string_view::npos)
    throw refusal("fmi-value", fmt::format("the text for {} is not UTF-8 at its byte {}", in_quotes(found.name), bad),
                  "give texts in UTF-8");
  settings_[found.reference] = text;
  stale_ = true;
}

void Instance::compute_outputs() {
  if (computed_ || !alive_) return;
  const LoopWatch::Piece watched(&watch_);
  compute(Return::possible);
}

void Instance::compute(Return back) {
  if (computed_ || !alive_) return;
  tuning_->take(nullptr);
  if (back == Return::possible) keep();
  alive_ = runtime_->compute();
  computed_ = true;
}

/// A checkpoint may cost more than a tick. An importer that never writes after it has read pays for one in a thousand
/// ticks; for one that does, the ticks in between are computed once more, with the same bits.
void Instance::keep() {
  const std::int64_t tick = runtime_->tick();
  const bool recently = tick - returned_ < longest_replay;
  if (returns_ && (!kept_ || recently || tick - kept_->tick >= longest_replay)) kept_ = runtime_->checkpoint();
}

void Instance::uncompute() {
  if (!computed_ || !alive_ || !kept_) return;
  const LoopWatch::Piece watched(&watch_);
  const std::int64_t tick = runtime_->tick();
  runtime_->go_back(*kept_);
  while (runtime_->tick() < tick && runtime_->compute()) runtime_->advance();
  returned_ = tick;
  computed_ = false;
}

bool Instance::step(double time, double size) {
  need(Phase::running, Phase::running, "DoStep");
  const Rational base = runtime_->base();
  const double tick = base.value();
  if (!(std::abs(time - this->time()) <= 1e-3 * tick))
    throw refusal("fmi-time",
                  fmt::format("the communication point is {} s, and the instance is at {} s", time, this->time()),
                  "continue from where the last step ended");
  const double ticks = std::round(size / tick);
  if (!(ticks >= 1) || ticks > 1e15 || std::abs(size - ticks * tick) > 1e-6 * tick)
    throw refusal("fmi-step",
                  fmt::format("the communication step is {} s, and a tick of the diagram takes {} s", size, tick),
                  "give a whole number of ticks, 1 or more");
  LoopWatch::Piece watched(&watch_);
  for (auto left = static_cast<std::int64_t>(ticks); left > 0 && alive_; --left) {
    if (left % ticks_between_looks == 0) watched.look();
    compute(Return::never);
    alive_ = alive_ && runtime_->advance();
    computed_ = !alive_;
  }
  if (!alive_ && runtime_->ending().kind == Ending::Kind::failed) throw failed_run();
  return alive_;
}

std::string Instance::ending() const {
  const Ending end = runtime_->ending();
  const std::string who = end.signal.empty() ? end.block : end.signal;
  return fmt::format("the run ended at {} s{}: {}", start_ + end.time, who.empty() ? "" : " by " + who, end.text);
}

Refused Instance::failed_run() const {
  return refusal("fmi-ended", ending(), "reset the instance, or give it back a state from before");
}

State Instance::state() {
  if (stale_) load();
  if (!alive_) throw failed_run();
  if (const std::vector<std::string> without = runtime_->without_checkpoint(); !without.empty())
    throw refusal("fmi-no-state",
                  fmt::format("the state cannot be saved: {} keeps a part of it elsewhere", in_quotes(without.front())),
                  "look at canGetAndSetFMUState in modelDescription.xml");
  uncompute();
  if (!computed_) tuning_->take(nullptr);
  State state;
  state.settings = settings_;
  state.token = package_->token;
  state.start = start_;
  state.phase = static_cast<std::uint8_t>(phase_);
  state.numbers = tuning_->numbers();
  state.checkpoint = kept_ && kept_->tick == runtime_->tick() ? *kept_ : runtime_->checkpoint();
  return state;
}

void Instance::put(const State& state) {
  if (state.token != package_->token || state.numbers.size() != tuning_->numbers().size())
    throw refusal("fmi-state",
                  fmt::format("the state belongs to the FMU {}, and this is {}", state.token, package_->token),
                  "give it to an instance of the FMU that it was saved from");
  uncompute();
  if (settings_ != state.settings || !alive_ || stale_) {
    std::map<std::uint32_t, std::string> before = std::exchange(settings_, state.settings);
    try {
      load();
    } catch (const Refused&) {
      settings_ = std::move(before);
      throw;
    }
  }
  if (!runtime_->restore(state.checkpoint))
    throw refusal("fmi-state", "the checkpoint in the state belongs to another diagram or is damaged",
                  "give it to an instance of the FMU that it was saved from");
  tuning_->put_numbers(state.numbers);
  phase_ = static_cast<Phase>(state.phase);
  start_ = state.start;
  computed_ = false;
  kept_.reset();
  returned_ = -longest_replay;
}

} // namespace hilda::fmi
