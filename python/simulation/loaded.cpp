// SPDX-License-Identifier: BSD-3-Clause
#include "engine/run/start.h"
#include "engine/session/loop_clock.h"
#include "engine/session/timed_change.h"
#include "python/interpreter/errors.h"
#include "python/interpreter/installation.h"
#include "python/simulation/simulation.h"
#include "tools/cli/version.h"

#include <algorithm>
#include <limits>
#include <set>

namespace hilda::python {
namespace {

std::vector<std::string> texts(const Request& request) {
  std::vector<std::string> texts;
  for (const auto& [path, value] : request.settings) texts.push_back(path + "=" + value);
  return texts;
}

/// A simulation is left, and nothing that it gives can say so any more.
void warn_of_stop(const Ending& ending) {
  if (Py_IsInitialized() == 0) return;
  const pybind11::gil_scoped_acquire hold;
  const pybind11::error_scope kept; // it may be left because of another one
  const std::string text = "a simulation was left, and its block " + ending.block + " failed: " + ending.text;
  if (PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), 1) != 0) PyErr_WriteUnraisable(nullptr);
}

} // namespace

std::unique_ptr<LoadedDiagram> load_diagram(const Request& request, bool takes_times) {
  const Diagnostics plugin_diagnostics = load_plugins(request.plugins);
  LoadOptions options;
  options.mode = request.mode;
  options.rig = request.rig;
  options.settings = texts(request);
  options.overlays = request.overlays;
  options.library_path = installation().library_path();
  options.solver.kind = solver_named(request.solver);
  options.blocks = request.blocks;
  auto diagram = std::make_unique<LoadedDiagram>(installation().host().catalogue());
  if (takes_times) diagram->take_times();
  const bool whole = request.text ? diagram->load(DiagramText{request.diagram, *request.text}, options)
                                  : diagram->load(request.diagram, options);
  // A broken plugin that the diagram does not need is not a reason not to run it.
  diagram->diagnostics().take(plugin_diagnostics, whole);
  if (whole && touches_world(diagram->system()))
    raise_error(request.diagram + " in mode " + diagram->system().mode +
                " touches devices; Python simulates only: run it with hilda run");
  return diagram;
}

Loaded::Loaded(const Request& request) : diagram_(load_diagram(request, true)) {
  RuntimeOptions running;
  running.solver.kind = solver_named(request.solver);
  runtime_ = start_runtime(*diagram_, running);
  if (!runtime_) raise_diagram_error(diagram_->diagnostics());
  runtime_->watch_events();
  list_signals();
  tuning_ = std::make_unique<Tuning>(*runtime_);
  timed_ = diagram_->timed();
}

Loaded::~Loaded() {
  timeline_.reset();
  tuning_.reset();
  if (runtime_ && !runtime_->stop()) warn_of_stop(runtime_->ending());
}

void Loaded::settle(Recorder* recorder) {
  do {
    if (recorder != nullptr) recorder->wait_for_room();
    tuning_->take(recorder);
  } while (recorder != nullptr && tuning_->numbers_wait());
  tuning_->settle();
}

std::shared_ptr<Input> Loaded::input(const std::string& path, Diagnostics& why) {
  const auto found = inputs_.find(path);
  if (found != inputs_.end() && found->second != nullptr) return found->second;
  return inputs_[path] = tuning_->input(path, why);
}

Timeline& Loaded::timeline() {
  if (!timeline_) timeline_ = std::make_unique<Timeline>(*runtime_, *tuning_);
  return *timeline_;
}

void Loaded::find_timed() {
  const auto found = std::find_if(timed_.begin(), timed_.end(),
                                  [this](const TimedChange& each) { return each.tick >= runtime_->tick(); });
  next_timed_ = static_cast<std::size_t>(found - timed_.begin());
}

void Loaded::forget() {
  timeline_.reset();
  tuning_->keep();
  find_timed();
}

void Loaded::hear(const Diagnostics& said) {
  Diagnostics& heard = diagram_->diagnostics();
  const auto known = [&heard](const Diagnostic& each) {
    return std::any_of(heard.all().begin(), heard.all().end(),
                       [&each](const Diagnostic& other) { return other.text() == each.text(); });
  };
  if (!std::all_of(said.all().begin(), said.all().end(), known)) heard.take(said, true);
}

std::vector<std::string> Loaded::take_over(Loaded& before) {
  std::vector<std::string> anew;
  set_again(*before.tuning_, *tuning_, anew);
  const std::optional<std::vector<std::string>> fresh = runtime_->take_over(*before.runtime_);
  if (!fresh) raise_error("the changed diagram has no tick at the present time: step to one that both have");
  anew.insert(anew.end(), fresh->begin(), fresh->end());
  find_timed();
  return anew;
}

std::int64_t Loaded::next_timed() const {
  return next_timed_ < timed_.size() ? timed_[next_timed_].tick : std::numeric_limits<std::int64_t>::max();
}

void Loaded::take_timed(Recorder* recorder) {
  while (next_timed() <= runtime_->tick()) {
    const TimedChange& change = timed_[next_timed_++];
    Diagnostics diagnostics;
    if (!take_timed_change(*tuning_, change, recorder, diagnostics)) raise_diagram_error(diagnostics);
    hear(diagnostics);
  }
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
