// SPDX-License-Identifier: BSD-3-Clause
#include "python/simulation/windows.h"

#include "engine/quantity/no_names.h"
#include "python/interpreter/errors.h"
#include "python/interpreter/values.h"

#include <cmath>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace hilda::python {

namespace py = pybind11;

namespace {

constexpr const char* an_example = R"(every="10 ms" or every=0.01, in s)";

double seconds_of_text(const std::string& text) {
  const Result<Value> value = read_value(text, NoNames());
  const bool time =
      value && value->scalar() && value->kind == Value::Kind::number && value->unit() == Unit(Unit::Base::time);
  if (!time) throw py::value_error("every=" + in_quotes(text) + " is not a time; write " + an_example);
  return value->numbers[0];
}

double seconds_of(const py::object& every) {
  if (py::isinstance<py::str>(every)) return seconds_of_text(plain_text(every, "every"));
  const double seconds = PyFloat_AsDouble(every.ptr());
  if (PyErr_Occurred() == nullptr) return seconds;
  PyErr_Clear();
  throw py::type_error("every is a time, not " + py::repr(every).cast<std::string>() + "; write " + an_example);
}

/// False itself, or NumPy's: what a comparison of its numbers gives.
bool is_false(const py::object& value) {
  return value.ptr() == Py_False ||
         (std::string_view(Py_TYPE(value.ptr())->tp_name) == "numpy.bool_" && PyObject_IsTrue(value.ptr()) == 0);
}

} // namespace

Windows::Windows(const py::object& every, py::object function) : function_(std::move(function)) {
  if (every.is_none())
    throw py::type_error(std::string("call= needs every=, the time between two calls; write ") + an_example);
  if (function_.is_none()) throw py::type_error("every= needs call=, the function to call");
  if (PyCallable_Check(function_.ptr()) == 0)
    throw py::type_error("call is a function of a Run, not " + py::repr(function_).cast<std::string>());
  every_ = seconds_of(every);
  if (!(every_ > 0) || !std::isfinite(every_))
    throw py::value_error(fmt::format("every is {} s; the time between two calls is above 0 s and finite", every_));
}

void Windows::begin(const Runtime& runtime) {
  ticks_ = std::max<std::int64_t>(ticks_in(every_, runtime.base()), 1);
  next_ = runtime.tick() + ticks_;
}

bool Windows::call(const Run& run, const SimulationResult& result) {
  std::shared_ptr<Run> window = run.since(first_);
  at_ = result;
  window->finish(result);
  first_ = run.samples();
  next_ += ticks_;
  try {
    return !is_false(function_(std::move(window)));
  } catch (const py::error_already_set& raised) {
    raised_ = raised;
    return false;
  }
}

void Windows::raise(const std::shared_ptr<Run>& run) {
  if (!raised_) return;
  py::error_already_set raised = *std::exchange(raised_, std::nullopt);
  if (!raised.matches(PyExc_Exception)) throw raised; // KeyboardInterrupt, SystemExit
  const py::object error = raised.value();
  if (raised.trace()) PyException_SetTraceback(error.ptr(), raised.trace().ptr());
  raise_call_error(error, decimal(at_.time), at_.time, at_.steps, py::cast(run));
}

} // namespace hilda::python
