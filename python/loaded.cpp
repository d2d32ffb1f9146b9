#include "engine/check/check.h"
#include "engine/modes/realtime/loop_clock.h"
#include "engine/plan/plan.h"
#include "python/errors.h"
#include "python/places.h"
#include "python/simulation.h"
#include "tools/cli/program/version.h"

#include <set>

namespace hilda::python {
namespace {

std::vector<std::string> texts(const Request& request) {
  std::vector<std::string> texts;
  for (const auto& [path, value] : request.settings) texts.push_back(path + "=" + value);
  return texts;
}

} // namespace

std::optional<System> load_system(const Request& request, Sources& sources, Diagnostics& diagnostics,
                                  std::vector<std::string>& remarks) {
  Diagnostics plugin_diagnostics;
  load_plugins(request.plugins, plugin_diagnostics);
  LoadOptions options;
  options.mode = request.mode;
  options.rig = request.rig;
  options.sets = read_settings(texts(request), sources, diagnostics);
  options.overlays = request.overlays;
  options.library_path = library_path();
  std::optional<System> system =
      check(request.diagram, options, plugin_host().catalogue(), sources, diagnostics, remarks);
  // A broken plugin that the diagram does not need is no reason not to run it.
  diagnostics.take(plugin_diagnostics, system.has_value());
  if (system && touches_world(*system))
    raise_error(request.diagram + " in mode " + system->mode +
                " touches devices; Python simulates only: run it with hilda run");
  return system;
}

Loaded::Loaded(const Request& request) {
  std::optional<System> system = load_system(request, sources_, diagnostics_, remarks_);
  RuntimeOptions running;
  running.solver = request.solver == "euler" ? SolverKind::euler : SolverKind::rk4;
  if (system && diagnostics_.ok()) runtime_ = Runtime::create(std::move(*system), running, diagnostics_);
  if (!runtime_ || !runtime_->start(diagnostics_)) raise_diagram_error(diagnostics_);
  list_signals();
}

Loaded::~Loaded() {
  if (runtime_) runtime_->stop();
}

void Loaded::list_signals() {
  auto table = std::make_shared<SignalTable>();
  RunLogOptions everything;
  everything.everything = true;
  const RecordedSignals recorded = recorded_signals(*runtime_, everything);
  for (const RecordSource& source : recorded.sources) {
    const LogChannel& channel = recorded.channels[source.channel];
    const LogField& field = channel.fields[source.field];
    table->add(channel.path + "." + field.name, field);
    data_.push_back(static_cast<const std::byte*>(source.data));
  }
  for (const Promise& port : runtime_->system().promises)
    table->add_alias(port.port, port_text(runtime_->system(), port.signal));
  table_ = std::move(table);
}

RunOrigin Loaded::origin(const Request& request) const {
  RunOrigin origin;
  origin.version = cli::version;
  origin.git = cli::revision;
  origin.diagram = request.diagram;
  origin.overlays = request.overlays;
  origin.settings = texts(request);
  origin.rig = request.rig;
  origin.sources = &sources_;
  for (const auto& library : plugin_host().libraries()) origin.plugins[library->name] = library->hash;
  return origin;
}

} // namespace hilda::python
