// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/log.h"
#include "engine/quantity/value.h"
#include "engine/study/store.h"
#include "python/bench.h"
#include "python/blocks.h"
#include "python/edit.h"
#include "python/interpreter/crash_note.h"
#include "python/interpreter/errors.h"
#include "python/interpreter/installation.h"
#include "python/interpreter/values.h"
#include "python/linear.h"
#include "python/log.h"
#include "python/simulation/request.h"
#include "python/simulation/simulation.h"
#include "python/simulation/stepper.h"
#include "tools/cli/version.h"

#include <filesystem>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace hilda::python {
namespace {

namespace py = pybind11;
using Path = std::filesystem::path;

bool names_one(const py::object& name, const Run& run) {
  return py::isinstance<py::str>(name) && run.has(name.cast<std::string>());
}

void bind_diagnostic(py::module_& module) {
  py::class_<Diagnostic>(module, "Diagnostic", "Something that is wrong with a diagram: what, where, and what to do.")
      .def_property_readonly(
          "severity",
          [](const Diagnostic& d) { return d.severity == Diagnostic::Severity::error ? "error" : "warning"; })
      .def_readonly("code", &Diagnostic::code)
      .def_readonly("file", &Diagnostic::file)
      .def_readonly("line", &Diagnostic::line)
      .def_readonly("what", &Diagnostic::what)
      .def_readonly("help", &Diagnostic::help)
      .def("__str__", &Diagnostic::text)
      .def(py::pickle(
          [](const Diagnostic& d) {
            py::list notes;
            for (const Diagnostic::Line& note : d.notes) notes.append(py::make_tuple(note.file, note.line, note.text));
            return py::make_tuple(static_cast<int>(d.severity), d.code, d.file, d.line, d.what, d.help, notes);
          },
          [](const py::tuple& state) {
            Diagnostic d;
            d.severity = static_cast<Diagnostic::Severity>(state[0].cast<int>());
            d.code = state[1].cast<std::string>(), d.file = state[2].cast<std::string>();
            d.line = state[3].cast<int>();
            d.what = state[4].cast<std::string>(), d.help = state[5].cast<std::string>();
            for (const auto& note : state[6].cast<py::list>()) {
              const auto line = note.cast<py::tuple>();
              d.notes.push_back({line[0].cast<std::string>(), line[1].cast<int>(), line[2].cast<std::string>()});
            }
            return d;
          }))
      .def("__repr__", [](const Diagnostic& d) { return "<hilda.Diagnostic " + d.code + ">"; });
}

void bind_checkpoint(py::module_& module) {
  py::class_<Checkpoint>(module, "Checkpoint", "A simulation's whole state; it can be pickled.")
      .def_readonly("tick", &Checkpoint::tick)
      .def(
          "__eq__", [](const Checkpoint& a, const Checkpoint& b) { return a == b; }, py::is_operator())
      .def(py::pickle(
          [](const Checkpoint& c) {
            return py::make_tuple(c.tick, py::bytes(reinterpret_cast<const char*>(c.bytes.data()), c.bytes.size()),
                                  c.diagram, c.checksum);
          },
          [](const py::tuple& state) {
            if (state.size() != 4)
              throw py::value_error("the checkpoint is damaged, or of a hilda before 0.2, whose checkpoints had no "
                                    "checksum: take a new one");
            const auto bytes = state[1].cast<std::string>();
            const Checkpoint c{state[0].cast<std::int64_t>(),
                               {bytes.begin(), bytes.end()},
                               state[2].cast<std::uint64_t>(),
                               state[3].cast<std::uint64_t>()};
            if (!c.intact()) throw py::value_error("the checkpoint is damaged: its checksum does not fit");
            return c;
          }));
}

void bind_run(py::module_& module) {
  py::class_<Run, std::shared_ptr<Run>>(module, "Run",
                                        "What was recorded of a run, in memory: run['rig.wrench.force.x'].")
      .def_property_readonly("time", &Run::time, "s, of each sample.")
      .def_property_readonly(
          "end", [](const Run& run) { return run.result().time; },
          "s, the time that the simulation has reached: a tick behind the last sample.")
      .def_property_readonly("signals", &Run::names, "Names of what was recorded.")
      .def_property_readonly(
          "reason", [](const Run& run) { return reason_name(run.result().reason); },
          "Why it ended: 'duration', 'stopped' (by a block), 'failed', 'interrupted'.")
      .def_property_readonly(
          "text", [](const Run& run) { return run.result().ending.text; }, "The text of the block that ended it.")
      .def("unit", &Run::unit, py::arg("signal"),
           "Unit of a signal or of a part of one; '' where it has none or its elements differ in it.")
      .def("__getitem__", &Run::array)
      .def("__contains__", [](const Run& run, const py::object& name) { return names_one(name, run); })
      .def("__iter__", [](const Run& run) { return py::iter(py::cast(run.names())); })
      .def("__len__", &Run::samples);
}

/// What restarts, where the run continues.
std::vector<std::string> set_many(Simulation& simulation,
                                  const std::vector<std::pair<std::string, py::object>>& settings, bool live) {
  if (live) return simulation.set_live(settings);
  std::vector<Setting> list;
  for (const auto& [path, value] : settings) list.push_back({path, value_text(value), !py::isinstance<py::str>(value)});
  simulation.set(list);
  return {};
}

void bind_outside(py::module_& module) {
  py::class_<InputHandle>(module, "Input", "A parameter, or an input of the diagram, that is written as numbers.")
      .def("write", &InputHandle::write, py::arg("value"),
           "Before the next tick: a number, or an array of its shape, in SI, of the unit that it has.")
      .def_property_readonly("path", [](const InputHandle& i) { return i.input().path(); })
      .def_property_readonly(
          "unit", [](const InputHandle& i) { return i.input().unit(); }, "'' where it has none.")
      .def_property_readonly(
          "shape",
          [](const InputHandle& i) {
            const Input& input = i.input();
            return input.cols() > 1    ? py::make_tuple(input.rows(), input.cols())
                   : input.size() == 1 ? py::tuple()
                                       : py::make_tuple(input.rows());
          },
          "As NumPy has it: () of a number.")
      .def("__repr__", [](const InputHandle& i) { return "<hilda.Input " + i.input().path() + ">"; });
  py::class_<OutputHandle>(module, "Output", "A signal, or a part of one, as it was computed last.")
      .def("read", &OutputHandle::read, "A number, or an array that is a copy, in SI.")
      .def_property_readonly("path", &OutputHandle::path)
      .def_property_readonly("unit", &OutputHandle::unit, "'' where it has none or its elements differ in it.")
      .def("__repr__", [](const OutputHandle& o) { return "<hilda.Output " + o.path() + ">"; });
}

void bind_simulation(py::module_& module) {
  py::class_<Simulation>(module, "Simulation", "A diagram, loaded and ready to run in simulation.")
      .def(py::init([](const Path& diagram, const std::string& mode, const std::optional<Path>& rig,
                       const py::dict& settings, const std::vector<Path>& overlays, const std::vector<Path>& plugins,
                       const std::string& solver, const std::optional<std::string>& text, const py::list& blocks) {
             Request request = request_of(diagram, mode, rig, settings, overlays, plugins, solver);
             request.blocks = types_of(blocks);
             request.text = text;
             return std::make_unique<Simulation>(request);
           }),
           py::arg("diagram"), py::kw_only(), py::arg("mode") = "", py::arg("rig") = py::none(),
           py::arg("settings") = py::dict(), py::arg("overlays") = std::vector<Path>(),
           py::arg("plugins") = std::vector<Path>(), py::arg("solver") = "", py::arg("text") = py::none(),
           py::arg("blocks") = py::list(), "Loads a diagram. DiagramError has every mistake that was found.")
      .def(
          "set",
          [](Simulation& s, const std::string& path, const py::object& value, bool live) {
            return set_many(s, {{path, value}}, live);
          },
          py::arg("path"), py::arg("value"), py::kw_only(), py::arg("live") = false,
          "Sets a parameter and restarts at t = 0; live: at the present tick, and the run continues. A number is in "
          "the unit that the block declares, which is SI for most; a text has its own, and may not change the "
          "parameter's. Returns the blocks that restart.")
      .def(
          "set_many",
          [](Simulation& s, const py::dict& settings, bool live) {
            std::vector<std::pair<std::string, py::object>> list;
            for (const auto& [path, value] : settings)
              list.emplace_back(plain_text(path, "the path of a setting"), py::reinterpret_borrow<py::object>(value));
            return set_many(s, list, live);
          },
          py::arg("settings"), py::kw_only(), py::arg("live") = false, "Sets several parameters at once, as set does.")
      .def(
          "get", [](Simulation& s, const std::string& path) { return to_python(s.get(path), false); }, py::arg("path"),
          "The value that a parameter has, in SI.")
      .def("back", &Simulation::back, py::arg("ticks") = 1,
           "Goes back by so many ticks: everything is as it was, and what was set since is taken back.")
      .def("reload", &Simulation::reload,
           "Continues in the diagram as its files are now, with the states kept. Returns the states that restart.")
      .def("reset", &Simulation::reset, "Begins again at t = 0.")
      .def(
          "run",
          [](Simulation& s, std::optional<double> duration, const std::optional<Names>& record,
             const std::optional<Path>& log, const py::object& every, const py::object& call) {
            if (log && log->empty()) throw py::value_error("log='' names no file; leave it out for no log");
            std::optional<Windows> windows;
            if (!every.is_none() || !call.is_none()) windows.emplace(every, call);
            return s.run(duration, record ? std::optional(list_of(*record)) : std::nullopt, log.value_or(Path()),
                         windows ? &*windows : nullptr);
          },
          py::arg("duration") = py::none(), py::kw_only(), py::arg("record") = py::none(), py::arg("log") = py::none(),
          py::arg("every") = py::none(), py::arg("call") = py::none(),
          "Runs for so many seconds from here on, or to the diagram's duration; a block may end it earlier. Calls a "
          "function with the Run of each time `every`; False from it ends the run.")
      .def("step", &Simulation::step, py::arg("ticks") = 1,
           "Runs so many ticks and records nothing in memory. False: a block ended the run.")
      .def("input", &Simulation::input, py::arg("path"), py::keep_alive<0, 1>(),
           "A handle by which a parameter, or an input of the diagram, is written as numbers between two ticks.")
      .def("output", &Simulation::output, py::arg("path"), py::keep_alive<0, 1>(),
           "A handle by which a signal, or a part of one, is read.")
      .def("write", &Simulation::write_many, py::arg("values"),
           "Writes several inputs before the next tick, or none: a dictionary by path or by handle.")
      .def(
          "begin_log", [](Simulation& s, const Path& file) { s.begin_log(file); }, py::arg("file"),
          "From now on every tick goes into this log, until end_log(), or until the run goes somewhere else.")
      .def("end_log", &Simulation::finish_log, "The log that begin_log began is whole then.")
      .def("checkpoint", &Simulation::checkpoint, "The whole state, to go back to.")
      .def("restore", &Simulation::restore, py::arg("checkpoint"), "Goes back to a checkpoint of this diagram.")
      .def("unit", &Simulation::unit, py::arg("signal"), "Unit of a signal or a part of one; '' where it has none.")
      .def("__getitem__", &Simulation::value, "A signal as it was computed last.")
      .def("__contains__",
           [](Simulation& s, const py::object& name) {
             return py::isinstance<py::str>(name) && s.loaded().table()->find(name.cast<std::string>()).has_value();
           })
      .def("__iter__", [](Simulation& s) { return py::iter(py::cast(s.loaded().table()->names())); })
      .def_property_readonly(
          "parameters", [](Simulation& s) { return to_python(s.parameters(), true); },
          "Every parameter by path, in SI.")
      .def_property_readonly(
          "limits", [](Simulation& s) { return to_python(s.limits(), false); },
          "What the safety stage lets through to each input that moves something, in SI.")
      .def_property_readonly(
          "quality", [](Simulation& s) { return to_python(s.quality(), false); },
          "Requirements on measured outputs before anything is armed, in SI.")
      .def_property_readonly(
          "summary", [](Simulation& s) { return to_python(s.summary(), false); },
          "What the blocks say of the run so far: contacts, figures, energy.")
      .def_property_readonly(
          "signals", [](Simulation& s) { return s.loaded().table()->names(); }, "Names of all outputs.")
      .def_property_readonly(
          "aliases", [](Simulation& s) { return s.loaded().table()->aliases(); }, "What ports of subsystems call them.")
      .def_property_readonly(
          "time", [](Simulation& s) { return s.loaded().runtime().time(); }, "s, of the next tick.")
      .def_property_readonly(
          "tick", [](Simulation& s) { return s.loaded().runtime().tick(); }, "Number of the next tick.")
      .def_property_readonly(
          "period", [](Simulation& s) { return s.loaded().runtime().base().value(); }, "s, of a tick.")
      .def_property_readonly(
          "mode", [](Simulation& s) { return s.loaded().runtime().system().mode; }, "Variant of the diagram.")
      .def_property_readonly(
          "diagram", [](Simulation& s) { return s.request().diagram; }, "Its file.")
      .def_property_readonly(
          "warnings", [](Simulation& s) { return s.loaded().diagnostics().sorted(); },
          "What was found while it was loaded and run, by file and line.")
      .def_property_readonly(
          "remarks", [](Simulation& s) { return s.loaded().remarks(); },
          "What a person should know: a period that the rig fixes, parameters that it drops.");
}

void bind_stepper(py::module_& module) {
  py::class_<Stepper>(module, "_Stepper", "Steps of simulations of one diagram together, for environments.")
      .def(py::init<const py::list&, std::vector<std::string>, std::vector<std::string>, std::vector<std::string>,
                    std::size_t>(),
           py::arg("simulations"), py::arg("actions"), py::arg("observations"), py::arg("figures"), py::arg("threads"))
      .def("sizes", &Stepper::sizes, "Numbers of actions, observations and figures of one simulation.")
      .def("look", &Stepper::look, "The observations now, a row for each simulation.")
      .def("step", &Stepper::step, py::arg("action"), py::arg("ticks"),
           "Of the only simulation: (observation, action, figures, not ended, time).")
      .def("step_each", &Stepper::step_each, py::arg("actions"), py::arg("ticks"),
           "Of each, a row: (observations, figures, not ended, times).");
}

void bind_log(py::module_& module) {
  py::class_<RecordedLog>(module, "Log", "A log of a run: log['rig.wrench.force.x'].")
      .def(py::init([](const Path& file) { return std::make_unique<RecordedLog>(file.string()); }), py::arg("file"))
      .def_property_readonly("signals", &RecordedLog::signals, "Names of what was recorded.")
      .def_property_readonly("metadata", &RecordedLog::metadata, "Facts about the run: mode, seed, settings, ending.")
      .def_property_readonly(
          "parameters", [](const RecordedLog& log) { return to_python(log.parameters(), true); },
          "Every parameter of the run by path, in SI.")
      .def_property_readonly(
          "limits", [](const RecordedLog& log) { return to_python(log.limits(), false); }, "As Simulation.limits.")
      .def_property_readonly(
          "quality", [](const RecordedLog& log) { return to_python(log.quality(), false); }, "As Simulation.quality.")
      .def_property_readonly(
          "summary", [](const RecordedLog& log) { return to_python(log.summary(), false); },
          "As Simulation.summary; None where the log is cut.")
      .def_property_readonly("figures", &RecordedLog::figures,
                             "The diagram's <figure> elements, as (title, signals): what a report opens on.")
      .def_property_readonly("complete", &RecordedLog::complete, "False: it is cut or damaged.")
      .def_property_readonly("problems", &RecordedLog::problems, "Missing or damaged parts, as text.")
      .def_property_readonly("period", &RecordedLog::period, "s, of a tick.")
      .def("events", &RecordedLog::events, "What happened, as (tick, kind, text).")
      .def("time", &RecordedLog::time, py::arg("signal"), "s, of each sample of a signal.")
      .def("unit", &RecordedLog::unit, py::arg("signal"), "As Run.unit.")
      .def("__getitem__", &RecordedLog::array)
      .def("__contains__",
           [](const RecordedLog& log, const py::object& name) {
             return py::isinstance<py::str>(name) && log.has(name.cast<std::string>());
           })
      .def("__iter__", [](const RecordedLog& log) { return py::iter(py::cast(log.signals())); });
}

} // namespace

PYBIND11_MODULE(_engine, module) {
  module.doc() = "hilda's engine.";
  module.attr("__version__") = cli::version;
  module.def(
      "library_file",
      [](const std::string& name) {
        const std::string file = installation().library_file(name);
        if (!file.empty()) return Path(file);
        const std::string near = nearest(name, installation().library_files());
        PyErr_SetString(PyExc_FileNotFoundError, ("no file '" + name + "' came with hilda" +
                                                  (near.empty() ? "" : "; did you mean '" + near + "'?"))
                                                     .c_str());
        throw py::error_already_set();
      },
      py::arg("name"), "Path of a diagram that came with hilda, such as 'pida.xml'.");
  module.def("_note_crashes", &note_crashes, py::arg("descriptor"),
             "A crash of this process writes plugin, block, type and phase to the descriptor first.");
  module.def(
      "_store_fault",
      [](const Path& file) {
        std::string error;
        const std::unique_ptr<Store> store = Store::read(file.string(), error);
        return !store ? error : store->intact() ? std::string() : store->error();
      },
      py::arg("file"), "Why the results of a study cannot be read, or are not as they were written; empty: they are.");
  translate_block_faults();
  bind_diagnostic(module);
  bind_checkpoint(module);
  bind_run(module);
  bind_outside(module);
  bind_simulation(module);
  bind_stepper(module);
  bind_log(module);
  bind_linear(module);
  bind_blocks(module);
  bind_bench(module);
  bind_edit(module);
}

} // namespace hilda::python
