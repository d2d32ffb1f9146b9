// SPDX-License-Identifier: BSD-3-Clause
#include "python/interpreter/errors.h"

#include "engine/plugin/block_fault.h"
#include "engine/quantity/value.h"
#include "engine/session/verdict_text.h"

#include <fmt/format.h>
#include <pybind11/stl.h>

namespace hilda::python {
namespace {

namespace py = pybind11;

/// Of the package's classes in errors.py.
[[noreturn]] void raise(const char* name, const py::object& exception) {
  PyErr_SetObject(py::module_::import("hilda.errors").attr(name).ptr(), exception.ptr());
  throw py::error_already_set();
}

} // namespace

void raise_error(const std::string& text) { raise("Error", py::module_::import("hilda.errors").attr("Error")(text)); }

void translate_block_faults() {
  py::register_local_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const BlockFault& fault) {
      const py::object error = py::module_::import("hilda.errors").attr("Error");
      PyErr_SetObject(error.ptr(), error(std::string(fault.what())).ptr());
    }
  });
}

void raise_unknown(const std::string& text) {
  PyErr_SetString(PyExc_KeyError, text.c_str());
  throw py::error_already_set();
}

void raise_diagram_error(const Diagnostics& diagnostics) { raise_diagram_error(diagnostics.sorted()); }

void raise_diagram_error(const std::vector<Diagnostic>& diagnostics) {
  raise("DiagramError", py::module_::import("hilda.errors").attr("DiagramError")(diagnostics));
}

void raise_run_error(const Ending& ending, const py::object& run) {
  std::string text = fmt::format("the run failed at t = {} s (tick {})", decimal(ending.time), ending.tick);
  if (!ending.block.empty()) text += ", block " + ending.block;
  if (!ending.signal.empty()) text += ", signal " + ending.signal;
  text += ": " + verdict_text(ending);
  raise("RunError",
        py::module_::import("hilda.errors").attr("RunError")(text, ending.time, ending.block, ending.signal, run));
}

void raise_call_error(const py::object& error, const std::string& at, double time, std::int64_t tick,
                      const py::object& run) {
  py::module_ errors = py::module_::import("hilda.errors");
  raise("RunError", errors.attr("_of_call")(error, at, time, tick, run));
}

} // namespace hilda::python
