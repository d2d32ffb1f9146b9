// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/run_log.h"

#include "engine/diagram/element_kinds.h"
#include "engine/diagram/log_selection.h"
#include "engine/plugin/arithmetic.h"
#include "engine/plugin/library.h"
#include "engine/session/summary_limits.h"
#include "engine/session/summary_parameters.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace hilda::session {
namespace {

using Json = nlohmann::ordered_json;

LogElement log_element(hilda_element element) {
  switch (element) {
  case HILDA_I64:
  case HILDA_CHOICE: return LogElement::i64;
  case HILDA_U64: return LogElement::u64;
  case HILDA_U8: return LogElement::boolean;
  default: return LogElement::f64;
  }
}

LogField field_of(const Runtime& runtime, const SystemSignal& signal) {
  const Slot& slot = runtime.memory().layout(signal.block).slots[signal.slot];
  LogField field;
  field.name = signal.item < 0 ? slot.name : slot.name + "[" + std::to_string(signal.item) + "]";
  field.element = log_element(signal.span.element);
  field.rows = signal.type.rows;
  field.cols = signal.type.cols;
  field.doc = slot.doc;
  if (slot.role == HILDA_OUTPUT) field.names = slot.choices;
  field.kind = kind_name(signal.type.kind);
  if (field.kind.empty() && signal.type.unit && !signal.type.unit->dimensionless())
    field.unit = signal.type.unit->text();
  return field;
}

/// Channels and sources of every block that has outputs to record.
class Signals {
public:
  Signals(const Runtime& runtime, const RunLogOptions& options) : runtime_(runtime), selection_(runtime.system()) {
    for (const SystemSignal& signal : runtime.signals())
      if (signal.span.count > 0) add(signal, options.everything);
    add_ports(runtime.ledger(), options.everything);
    for (const LogChannelSource& more : options.more) add(more);
  }
  std::vector<LogChannel> channels;
  std::vector<RecordSource> sources;

private:
  /// Which samples of an output are kept. Measurements always: a replay reads them instead of devices.
  KeptSamples kept(const SystemSignal& signal, const Slot& slot, bool everything) const {
    KeptSamples samples = selection_.of_output(signal.block, signal.slot, signal.item);
    const SystemBlock& block = runtime_.system().blocks[signal.block];
    if (everything || slot.is(HILDA_MEASUREMENT)) samples = {true, block.continuous ? 1 : block.divider, nullptr};
    if (samples.rule == nullptr && slot.is(HILDA_UNRECORDED) && !everything) samples.any = false;
    return samples;
  }

  void add(const SystemSignal& signal, bool everything) {
    const Slot& slot = runtime_.memory().layout(signal.block).slots[signal.slot];
    const KeptSamples samples = kept(signal, slot, everything);
    if (!samples.any) return;
    if (signal.block != block_) block_ = signal.block, first_ = channels.size();
    const std::size_t at = channel_of(samples);
    LogChannel& channel = channels[at];
    if (slot.is(HILDA_MEASUREMENT)) channel.record_class = RecordClass::acquired;
    channel.fields.push_back(field_of(runtime_, signal));
    sources.push_back({.channel = at,
                       .field = channel.fields.size() - 1,
                       .data = signal.span.data,
                       .bytes = channel.fields.back().bytes(),
                       .when = channel.when.empty() ? nullptr : flag_of(*samples.rule)});
  }

  /// The block's channel with this rate and condition. What no `<log>` names stays together, as device data must.
  std::size_t channel_of(const KeptSamples& samples) {
    const std::string when = samples.rule == nullptr || !samples.rule->when.block.valid()
                                 ? ""
                                 : port_text(runtime_.system(), samples.rule->when);
    for (std::size_t c = first_; c < channels.size(); ++c)
      if (channels[c].divider == samples.divider && channels[c].when == when &&
          (channels[c].record_class == RecordClass::observed || samples.rule == nullptr))
        return c;
    const SystemBlock& block = runtime_.system().blocks[block_];
    channels.push_back({.path = block.path,
                        .type = block.type->name,
                        .divider = samples.divider,
                        .when = when,
                        .held = !block.continuous && samples.divider == block.divider});
    return channels.size() - 1;
  }

  const std::uint8_t* flag_of(const LogRule& rule) const {
    for (const SystemSignal& signal : runtime_.signals())
      if (signal.block == rule.when.block && signal.slot == rule.when.slot && signal.item == rule.when.item)
        return static_cast<const std::uint8_t*>(signal.span.data) + rule.when_offset;
    return nullptr;
  }

  void add(const LogChannelSource& more) {
    for (std::size_t f = 0; f < more.data.size(); ++f)
      sources.push_back(
          {.channel = channels.size(), .field = f, .data = more.data[f], .bytes = more.channel.fields[f].bytes()});
    channels.push_back(more.channel);
  }

  /// A channel for each power port: "ports.robot".
  void add_ports(const Ledger& ledger, bool everything) {
    const std::vector<Ledger::Port> ports = ledger.ports();
    for (std::size_t p = 0; p < ports.size(); ++p) {
      const KeptSamples samples = everything ? KeptSamples{} : selection_.of_power_port(p);
      if (!samples.any) continue;
      block_ = {}, first_ = channels.size();
      LogChannel channel{.path = "ports." + ports[p].name,
                         .type = std::string(elements::power_port.tag),
                         .divider = std::max(samples.divider, ledger.divider_of(p))};
      const std::uint8_t* flag = nullptr;
      if (samples.rule != nullptr && samples.rule->when.block.valid()) {
        channel.when = port_text(runtime_.system(), samples.rule->when);
        flag = flag_of(*samples.rule);
      }
      const auto field = [&](const char* name, const char* unit, const char* doc, const double* data) {
        LogField number;
        number.name = name, number.unit = unit, number.doc = doc;
        number.element = LogElement::f64;
        number.rows = number.cols = 1;
        channel.fields.push_back(number);
        sources.push_back({.channel = channels.size(),
                           .field = channel.fields.size() - 1,
                           .data = data,
                           .bytes = number.bytes(),
                           .when = flag});
      };
      field("energy", "J", "That has flowed through the port", ledger.energy_of(p));
      field("power", "W", "That flows through the port", ledger.power_of(p));
      channels.push_back(std::move(channel));
    }
  }

  const Runtime& runtime_;
  const LogSelection selection_;
  BlockIndex block_;
  std::size_t first_ = 0; ///< channel of block_
};

/// Figures as a report needs them: names from the top.
Json figures_of(const System& system) {
  Json figures = Json::array();
  for (const FigureRule& rule : system.figures) {
    const std::string& scope = rule.signals.scope;
    Json signals = Json::array();
    for (const std::string& word : rule.signals.words) {
      const bool port = word.starts_with("ports.");
      signals.push_back(scope.empty() ? word : (port ? "ports." : "") + scope + "." + (port ? word.substr(6) : word));
    }
    figures.push_back({{"title", rule.title}, {"signals", std::move(signals)}});
  }
  return figures;
}

using Hashes = std::map<std::string, std::string>;

/// What a replay needs to carry states with the same bits; tolerances of single states are in the diagram.
void describe_solver(LogSchema& schema, const SolverSettings& solver) {
  schema.metadata["solver"] = solver_name(solver.kind);
  if (!has_variable_step(solver.kind)) return;
  schema.metadata["rtol"] = decimal(solver.rtol);
  schema.metadata["atol"] = decimal(solver.atol);
  schema.metadata["max_step"] = decimal(solver.max_step);
}

void describe_run(LogSchema& schema, const Runtime& runtime, const RunOrigin& origin) {
  const Json parameters = parameter_values(runtime);
  schema.metadata = {{"name", runtime.system().name},
                     {"mode", runtime.system().mode},
                     {"version", origin.version},
                     {"git", origin.git},
                     {"mathematics", arithmetic().mathematics},
                     {"processor", arithmetic().processor},
                     {"libc", arithmetic().c_library},
                     {"diagram", origin.diagram},
                     {"overlays", Json(origin.overlays).dump()},
                     {"settings", Json(origin.settings).dump()},
                     {"plugins", Json(origin.plugins != nullptr ? origin.plugins->hashes() : Hashes()).dump()},
                     {"parameters", json_text(parameters)}};
  describe_solver(schema, runtime.solver().settings());
  if (!origin.rig.empty()) schema.metadata["rig"] = origin.rig;
  if (!runtime.system().figures.empty()) schema.metadata["figures"] = json_text(figures_of(runtime.system()));
  if (!runtime.system().limits.empty()) schema.metadata["limits"] = json_text(limit_values(runtime.system()));
  if (!runtime.system().quality.empty()) schema.metadata["quality"] = json_text(quality_values(runtime.system()));
  if (const auto seed = parameters.find("seed"); seed != parameters.end()) schema.metadata["seed"] = json_text(*seed);
  for (const Promise& port : runtime.system().promises)
    schema.aliases.emplace(port.port, port_text(runtime.system(), port.signal));
  if (origin.sources == nullptr) return;
  for (const auto& file : origin.sources->files()) schema.files.push_back({file->name, "application/xml", file->text});
}

/// What a log needs that begins within a run, so that it can be replayed alone.
void describe_begin(LogSchema& schema, const Runtime& runtime, const std::vector<TakenChange>& live) {
  if (runtime.tick() == 0 && live.empty()) return;
  Json changes = Json::array();
  for (const TakenChange& each : live) changes.push_back(settings_text(each.settings));
  schema.metadata[live_key] = changes.dump();
  if (!runtime.without_checkpoint().empty()) return;
  const std::vector<unsigned char> bytes = runtime.checkpoint().packed();
  schema.files.push_back({checkpoint_name, checkpoint_media_type, std::string(bytes.begin(), bytes.end())});
}

} // namespace

RecordedSignals recorded_signals(const Runtime& runtime, const RunLogOptions& options) {
  Signals signals(runtime, options);
  return {std::move(signals.channels), std::move(signals.sources)};
}

void name_inputs(const System& system, const Sources* sources, OutputFiles& files) {
  if (sources != nullptr)
    for (const auto& file : sources->files())
      if (!file->absolute.empty()) files.reads(file->absolute);
  for (const SystemBlock& block : system.blocks)
    for (const ParameterValue& parameter : block.parameters)
      if (parameter.slot.valid() && block.type->slots[parameter.slot].element == HILDA_PATH)
        files.reads(parameter.value.text);
}

std::unique_ptr<RunLog> RunLog::create(const Runtime& runtime, const RunOrigin& origin, const std::string& path,
                                       const RunLogOptions& options, std::string& error) {
  const RecordedSignals signals = recorded_signals(runtime, options);
  LogSchema schema;
  schema.period = runtime.base();
  schema.channels = signals.channels;
  describe_run(schema, runtime, origin);
  describe_begin(schema, runtime, options.live);
  if (!options.everything && !runtime.system().logs.empty()) schema.metadata["signals"] = selected_signals_text;
  for (const auto& [key, value] : options.metadata) schema.metadata[key] = value;
  std::unique_ptr<RunLog> log(new RunLog);
  std::unique_ptr<OutputFile> file;
  if (!path.empty() || options.tap == nullptr) {
    file = log->open_file(origin, runtime.system(), schema, path, options, error);
    if (file == nullptr) return nullptr;
  }
  return log->begin(std::move(file), schema, signals, runtime, options, error) ? std::move(log) : nullptr;
}

std::unique_ptr<OutputFile> RunLog::open_file(const RunOrigin& origin, const System& system, const LogSchema& schema,
                                              const std::string& path, const RunLogOptions& options,
                                              std::string& error) {
  OutputFiles own;
  OutputFiles& files = options.files != nullptr ? *options.files : own;
  name_inputs(system, origin.sources, files);
  auto file = files.open(path, OutputKind::log, FileContent::log);
  if (!file) {
    error = files.error();
    return nullptr;
  }
  replaces_ = file->existed();
  kept_ = file->kept();
  const std::uint64_t most = options.ticks ? LogWriter::expected_bytes(schema, *options.ticks) : 0;
  shortage_ = file->shortage(most);
  const std::string refused = file->shortage(most / LogWriter::most_packed);
  const bool timed = !options.ticks || log_time_at(schema.period, std::max<std::int64_t>(*options.ticks - 1, 0));
  if ((refused.empty() && timed) || options.may_end_earlier) return file;
  if (refused.empty()) {
    error = path + " cannot be written: the times of a log are " + log_time_range + ", and the last of " +
            std::to_string(*options.ticks) + " steps is later";
    return nullptr;
  }
  error =
      path + " cannot be written: the log of " + std::to_string(*options.ticks) + " steps takes at least " + refused;
  return nullptr;
}

/// Where someone watches, all goes through the ring, and the log's thread leaves out what the file does not keep.
bool RunLog::begin(std::unique_ptr<OutputFile> file, const LogSchema& schema, const RecordedSignals& kept,
                   const Runtime& runtime, const RunLogOptions& options, std::string& error) {
  LogOptions how;
  if (options.when_full == WhenFull::wait) how.ring = FrameRing::Pages::when_used;
  how.tap = options.tap;
  if (options.tap == nullptr) {
    writer_ = LogWriter::create(std::move(file), schema, how, error);
    if (writer_) recorder_ = Recorder::create(schema, kept.sources, writer_->ring(), options.when_full, error);
    return recorder_.has_value();
  }
  RunLogOptions everything = options;
  everything.everything = true;
  RecordedSignals all = recorded_signals(runtime, everything);
  TappedSignals tapped;
  tapped.schema = {.period = schema.period,
                   .channels = std::move(all.channels),
                   .metadata = {},
                   .aliases = schema.aliases,
                   .files = {}};
  tapped.sources = std::move(all.sources);
  writer_ = LogWriter::create(std::move(file), schema, tapped, how, error);
  if (writer_) recorder_ = Recorder::create(tapped.schema, tapped.sources, writer_->ring(), options.when_full, error);
  return recorder_.has_value();
}

bool RunLog::close(const SimulationResult& result, std::string& error, const std::map<std::string, std::string>& more) {
  std::map<std::string, std::string> end{{"reason", reason_name(result.reason)},
                                         {"steps", std::to_string(result.steps)},
                                         {"time", decimal(result.time)},
                                         {"wall_time", decimal(result.wall_time)}};
  if (!result.ending.block.empty()) end["block"] = result.ending.block;
  if (!result.ending.signal.empty()) end["signal"] = result.ending.signal;
  if (!result.ending.text.empty()) end["text"] = result.ending.text;
  end.insert(more.begin(), more.end());
  const bool complete = writer_->close(end);
  error = writer_->error();
  return complete;
}

} // namespace hilda::session
