// SPDX-License-Identifier: BSD-3-Clause
#include "tests/live/random_session.h"

#include "engine/session/replay.h"
#include "tests/modules.h"

#include <cmath>
#include <fstream>

namespace hilda::test {

RandomSession::RandomSession(std::string file, std::filesystem::path folder, unsigned seed)
    : file_(std::move(file)), folder_(std::move(folder)), random_(seed) {
  Diagnostics diagnostics;
  BuiltDiagram built = build({}, {}, diagnostics);
  EXPECT_NE(built.runtime, nullptr) << file_ << "\n" << diagnostics.text();
  if (built.runtime == nullptr) return;
  LiveSimulation::Hooks hooks;
  hooks.build = [this](const auto& settings, Diagnostics& found) { return build(settings, {}, found); };
  hooks.adopted = [this] { settings_ = built_with_; };
  hooks.next_log = [this](const Runtime& runtime, const auto& live, const SimulationResult& so_far) {
    close_log(so_far);
    return begin_log(runtime, live);
  };
  Recorder* recorder = begin_log(*built.runtime, {});
  simulation_ = std::make_unique<LiveSimulation>(std::move(built), recorder, 1000.0, nullptr, std::move(hooks));
}

BuiltDiagram RandomSession::build(const std::vector<LiveSetting>& settings, const std::vector<std::string>& overlays,
                                  Diagnostics& diagnostics) {
  LoadOptions options;
  options.mode = "sim";
  options.settings = settings_;
  options.overlays = overlays;
  for (const LiveSetting& each : settings) options.settings.push_back(each.path + "=" + each.text);
  auto made = std::make_unique<LoadedDiagram>(all_plugins().catalogue());
  made->take_times();
  made->load(file_, options);
  std::unique_ptr<Runtime> runtime = start_runtime(*made);
  diagnostics.take(made->diagnostics(), false);
  if (runtime == nullptr) return {};
  built_with_ = options.settings;
  loaded_.push_back(std::move(made));
  return {std::move(runtime), loaded_.back()->timed()};
}

Recorder* RandomSession::begin_log(const Runtime& runtime, const std::vector<TakenChange>& live) {
  RunOrigin origin;
  origin.diagram = file_;
  origin.settings = settings_;
  origin.plugins = &all_plugins();
  origin.sources = &loaded_.back()->sources();
  RunLogOptions options;
  options.metadata["solver"] = "rk4";
  options.everything = true;
  options.live = live;
  logs_.push_back((folder_ / ("log" + std::to_string(logs_.size()) + ".mcap")).string());
  std::string error;
  log_ = RunLog::create(runtime, origin, logs_.back(), options, error);
  EXPECT_NE(log_, nullptr) << error;
  return log_ ? &log_->recorder() : nullptr;
}

void RandomSession::close_log(const SimulationResult& result) {
  std::string error;
  const bool whole = log_ == nullptr || log_->close(result, error);
  EXPECT_TRUE(whole) << error;
  log_.reset();
}

std::string RandomSession::random_value(const Value& now, const std::string& unit) {
  static const std::vector<std::string> nonsense{"",        "1 furlong", "${no_such}", "nan",
                                                 "1e400 s", "\x01",      "1;2 3",      "true"};
  if (below(12) == 0) return nonsense[below(nonsense.size())];
  if (now.kind == Value::Kind::boolean) return below(2) == 0 ? "true" : "false";
  std::string text;
  const double factor = std::vector<double>{0.5, 0.9, 1.0, 1.1, 2.0, -1.0}[below(6)];
  for (int row = 0; row < now.extent.rows; ++row) {
    for (int col = 0; col < now.extent.cols; ++col)
      text += decimal(factor * now.numbers.at(static_cast<std::size_t>(row + col * now.extent.rows))) + " ";
    if (row + 1 < now.extent.rows && now.extent.cols > 1) text += "; ";
  }
  return text + unit;
}

LiveSetting RandomSession::random_setting() {
  const System& system = simulation_->runtime().system();
  if (below(2) == 0) {
    const NamedParameter& named = system.parameters[ParameterIndex(static_cast<int>(below(system.parameters.size())))];
    if (named.value.kind == Value::Kind::text || named.value.numbers.empty()) return {named.path, "other"};
    const auto unit = named.value.unit();
    return {named.path, random_value(named.value, unit && !unit->dimensionless() ? unit->text() : "")};
  }
  std::vector<LiveSetting> live;
  for (const SystemBlock& block : system.blocks)
    for (const ParameterValue& parameter : block.parameters) {
      const Slot& slot = block.type->slots[parameter.slot];
      if (!slot.is(HILDA_LIVE) || parameter.value.numbers.empty() || below(3) != 0) continue;
      Value now = parameter.value;
      if (slot.element == HILDA_U8) now.kind = Value::Kind::boolean;
      const auto& unit = block.slot_types[parameter.slot].unit;
      live.push_back(
          {block.path + "." + slot.name, random_value(now, unit && !unit->dimensionless() ? unit->text() : "")});
    }
  return live.empty() ? LiveSetting{"nothing.at_all", "1"} : live[below(live.size())];
}

void RandomSession::set() {
  std::vector<LiveSetting> settings;
  for (std::size_t count = 1 + below(2); settings.size() < count;) settings.push_back(random_setting());
  const std::int64_t tick = simulation_->tick();
  Diagnostics diagnostics;
  std::vector<std::string> anew;
  const bool good = simulation_->set(settings, diagnostics, anew);
  EXPECT_EQ(simulation_->tick(), tick);
  EXPECT_EQ(good, diagnostics.ok()) << diagnostics.text();
  good ? ++taken : ++refused;
  for (const LiveSetting& each : settings)
    script_ += (good ? "set " : "refused ") + each.path + "=" + each.text + (&each == &settings.back() ? "\n" : " & ");
}

/// Of an input that is nonsense, too.
void RandomSession::write() {
  const std::string path = random_setting().path;
  Diagnostics diagnostics;
  const std::shared_ptr<Input> input = simulation_->tuning().input(path, diagnostics);
  EXPECT_EQ(input != nullptr, diagnostics.ok()) << diagnostics.text();
  if (input == nullptr) return;
  std::vector<double> numbers(input->size() + (below(9) == 0 ? 1 : 0));
  for (double& number : numbers)
    number = std::vector<double>{0.5, 0.9, 1.0, 1.1, 2.0, -1.0, HUGE_VAL}[below(7)] * static_cast<double>(1 + below(3));
  const Written written = input->write(numbers);
  script_ += (written == Written::taken ? "write " : "not ") + path + "\n";
  EXPECT_EQ(written == Written::taken, input->refusal(written, numbers).empty());
}

void RandomSession::act() {
  Diagnostics diagnostics;
  std::vector<std::string> anew;
  const std::size_t what = below(100);
  if (what < 30) return set();
  if (what < 45) return write();
  if (what < 85 && !simulation_->ended()) {
    const std::int64_t to = simulation_->tick() + static_cast<std::int64_t>(below(120));
    script_ += "to " + std::to_string(to) + "\n";
    simulation_->run_to(to, diagnostics);
    EXPECT_TRUE(diagnostics.ok()) << diagnostics.text();
    EXPECT_TRUE(simulation_->tick() == to || simulation_->ended());
  } else if (what < 95) {
    const std::int64_t to = simulation_->tick() - static_cast<std::int64_t>(below(200)) + 3;
    const std::int64_t from = simulation_->tick();
    script_ += "back to " + std::to_string(to) + "\n";
    const std::string why = simulation_->back_to(to);
    EXPECT_EQ(simulation_->tick(), why.empty() ? to : from) << why;
    back += why.empty() ? 1 : 0;
  } else if (what < 97) {
    script_ += "reload\n";
    const bool whole = simulation_->runtime().without_checkpoint().empty() && !simulation_->ended();
    const std::vector<unsigned char> before =
        whole ? simulation_->runtime().checkpoint().bytes : std::vector<unsigned char>();
    simulation_->reload(diagnostics, anew);
    EXPECT_TRUE(diagnostics.ok()) << diagnostics.text();
    EXPECT_TRUE(anew.empty()) << anew.front() << "\n" << script_;
    if (whole) { EXPECT_TRUE(simulation_->runtime().checkpoint().bytes == before) << "states are kept\n" << script_; }
  } else {
    simulation_->tuning().text_of(random_setting().path);
    simulation_->repeat({});
  }
}

void RandomSession::end() { close_log(simulation_->so_far()); }

std::string RandomSession::other_by_overlay() {
  if (!simulation_->not_repeatable().empty()) return {};
  const std::string overlay = (folder_ / "again.xml").string();
  OutputFiles files;
  std::string error;
  if (!save_run(overlay, simulation_->repeat({}), files, error)) return error;
  Diagnostics diagnostics;
  BuiltDiagram built = build({}, {overlay}, diagnostics);
  if (built.runtime == nullptr) return diagnostics.text();
  LiveSimulation again(std::move(built), nullptr, 1000.0, nullptr, {}, false);
  // one that has ended has done so in its tick
  again.run_to(simulation_->tick() + (simulation_->ended() ? 1 : 0), diagnostics);
  if (!diagnostics.ok()) return diagnostics.text();
  if (again.tick() != simulation_->tick())
    return "it is at tick " + std::to_string(again.tick()) + ", not " + std::to_string(simulation_->tick());
  for (const SystemSignal& signal : simulation_->runtime().signals()) {
    const SystemSignal* other = again.runtime().find_signal(signal.path);
    if (other == nullptr || std::memcmp(other->span.data, signal.span.data, signal.span.bytes()) != 0)
      return signal.path + " has other bits";
  }
  if (simulation_->ended() || !again.runtime().without_checkpoint().empty()) return {};
  return again.runtime().checkpoint().bytes == simulation_->runtime().checkpoint().bytes ? ""
                                                                                         : "a state has other bits";
}

std::string replayed_otherwise(const std::string& log_file) {
  std::string error;
  auto log = Log::open(log_file, error);
  if (!log) return error;
  const std::optional<RecordedRun> recorded = read_recorded_run(*log, error);
  if (!recorded) return error;
  LoadOptions options;
  options.mode = recorded->mode;
  options.settings = recorded->settings;
  options.recorded = &recorded->files;
  LoadedDiagram loaded(all_plugins().catalogue());
  if (!loaded.load(recorded->diagram, options)) return loaded.diagnostics().text();
  Replay replay(*log, *recorded);
  const auto runtime = make_runtime(loaded);
  if (!runtime) return loaded.diagnostics().text();
  Tuning tuning(*runtime);
  if (const std::string misfit = replay.bind(*runtime); !misfit.empty()) return misfit;
  if (const std::string misfit = replay.begin(*runtime, tuning); !misfit.empty()) return misfit;
  Comparison comparison(*runtime, *log);
  const Replay::Ending result = replay.run(*runtime, tuning, nullptr, comparison, nullptr);
  if (!result.gap.empty()) return result.gap;
  const auto findings = comparison.findings();
  if (!findings.empty())
    return findings.front().first.signal + " differs at tick " + std::to_string(findings.front().first.tick);
  return comparison.only_recorded().empty() ? "" : comparison.only_recorded().front() + " is in the log alone";
}

} // namespace hilda::test
