#include "engine/loop/start.h"
#include "engine/modes/realtime/loop_clock.h"
#include "python/interpreter/errors.h"
#include "python/interpreter/installation.h"
#include "python/simulation/simulation.h"
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

std::unique_ptr<LoadedDiagram> load_diagram(const Request& request) {
  Diagnostics plugin_diagnostics;
  installation().load_plugins(request.plugins, plugin_diagnostics);
  LoadOptions options;
  options.mode = request.mode;
  options.rig = request.rig;
  options.settings = texts(request);
  options.overlays = request.overlays;
  options.library_path = installation().library_path();
  auto diagram = std::make_unique<LoadedDiagram>(installation().host().catalogue());
  const bool whole = diagram->load(request.diagram, options);
  // A broken plugin that the diagram does not need is no reason not to run it.
  diagram->diagnostics().take(plugin_diagnostics, whole);
  if (whole && touches_world(diagram->system()))
    raise_error(request.diagram + " in mode " + diagram->system().mode +
                " touches devices; Python simulates only: run it with hilda run");
  return diagram;
}

Loaded::Loaded(const Request& request) : diagram_(load_diagram(request)) {
  RuntimeOptions running;
  running.solver = request.solver == "euler" ? SolverKind::euler : SolverKind::rk4;
  runtime_ = start_runtime(*diagram_, running);
  if (!runtime_) raise_diagram_error(diagram_->diagnostics());
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
  origin.sources = &diagram_->sources();
  origin.plugins = &installation().host();
  return origin;
}

} // namespace hilda::python
