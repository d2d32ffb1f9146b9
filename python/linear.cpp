// SPDX-License-Identifier: BSD-3-Clause
#include "python/linear.h"

#include "engine/analysis/linearize.h"
#include "python/interpreter/errors.h"
#include "python/interpreter/made.h"
#include "python/simulation/request.h"

#include <fmt/format.h>
#include <pybind11/complex.h>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace hilda::python {
namespace {

namespace py = pybind11;
using Path = std::filesystem::path;

/// The model that was asked for, with what is known of its making.
struct Linear {
  using BoundToPython = void;

  LinearModel model;
  double time = 0;
  std::vector<std::string> held;
};

Linear linear_model(const Request& request, const Names& inputs, const Names& outputs, double time, double step,
                    bool discrete) {
  if (!(step >= 1e-12 && step <= 1)) throw py::value_error("step is from 1e-12 to 1");
  if (!(time >= 0)) throw py::value_error("time is 0 s or later");
  const std::unique_ptr<LoadedDiagram> diagram = load_diagram(request);
  std::optional<Linearization> result;
  if (diagram->ok())
    result =
        linearize(diagram->take_system(), {.from = list_of(inputs), .to = list_of(outputs), .time = time, .step = step},
                  diagram->diagnostics());
  if (!result) raise_diagram_error(diagram->diagnostics());
  LinearModel& model = result->continuous && !discrete ? *result->continuous : result->discrete;
  return {std::move(model), result->time, std::move(result->held)};
}

/// (frequencies, outputs, inputs), or without the first axis for one frequency.
py::array response(const Linear& linear, const py::array_t<double, py::array::c_style | py::array::forcecast>& at) {
  const LinearModel& model = linear.model;
  const auto outputs = static_cast<py::ssize_t>(model.outputs.size());
  const auto inputs = static_cast<py::ssize_t>(model.inputs.size());
  if (at.ndim() > 1) throw py::value_error("frequencies are a number or a row of them, rad/s");
  std::vector<py::ssize_t> shape{outputs, inputs};
  if (at.ndim() == 1) shape.insert(shape.begin(), at.shape(0));
  py::array_t<std::complex<double>> all(shape);
  std::complex<double>* place = all.mutable_data();
  for (py::ssize_t k = 0; k < at.size(); ++k) {
    const Eigen::MatrixXcd G = model.response(at.data()[k]);
    for (py::ssize_t i = 0; i < outputs; ++i)
      for (py::ssize_t j = 0; j < inputs; ++j) *place++ = G(i, j);
  }
  return all;
}

std::vector<std::string> kinks(const LinearModel& model) {
  std::vector<std::string> names;
  for (const auto& [row, col] : model.kinks) names.push_back(model.entry_name(row, col));
  return names;
}

template <class Values> py::array as_array(const Values& values) {
  return py::array_t<typename Values::value_type>(static_cast<py::ssize_t>(values.size()), values.data());
}

} // namespace

void bind_linear(py::module_& module) {
  py::class_<Linear>(module, "LinearModel", "x' = A x + B u, y = C x + D u about a state, in deviations and SI.")
      .def_property_readonly("A", [](const Linear& l) { return l.model.A; })
      .def_property_readonly("B", [](const Linear& l) { return l.model.B; })
      .def_property_readonly("C", [](const Linear& l) { return l.model.C; })
      .def_property_readonly("D", [](const Linear& l) { return l.model.D; })
      .def_property_readonly("states", [](const Linear& l) { return l.model.states; })
      .def_property_readonly("inputs", [](const Linear& l) { return l.model.inputs; })
      .def_property_readonly("outputs", [](const Linear& l) { return l.model.outputs; })
      .def_property_readonly(
          "period", [](const Linear& l) { return l.model.period; }, "s; 0: continuous")
      .def_property_readonly(
          "time", [](const Linear& l) { return l.time; }, "s, of the state.")
      .def_property_readonly(
          "held", [](const Linear& l) { return l.held; }, "States that are not real numbers.")
      .def_property_readonly(
          "error", [](const Linear& l) { return l.model.error(); }, "Largest relative error.")
      .def_property_readonly(
          "kinks", [](const Linear& l) { return kinks(l.model); }, "Entries whose slopes differ by side.")
      .def_property_readonly(
          "poles", [](const Linear& l) { return as_array(l.model.poles()); },
          "Eigenvalues of A, the least stable first.")
      .def_property_readonly("pole_errors", [](const Linear& l) { return as_array(l.model.pole_errors()); })
      .def("response", &response, py::arg("frequency"), "y per u at frequencies in rad/s.")
      .def("__repr__", [](const Linear& l) {
        return fmt::format("<hilda.LinearModel {}, {} states, {} inputs, {} outputs>",
                           l.model.period > 0 ? fmt::format("period {} s", l.model.period) : "continuous",
                           l.model.A.rows(), l.model.B.cols(), l.model.C.rows());
      });
  module.def(
      "linearize",
      [](const Path& diagram, const Names& inputs, const Names& outputs, double time, bool discrete, double step,
         const std::string& mode, const std::optional<Path>& rig, const py::dict& settings,
         const std::vector<Path>& overlays, const std::vector<Path>& plugins) {
        return linear_model(request_of(diagram, mode, rig, settings, overlays, plugins), inputs, outputs, time, step,
                            discrete);
      },
      py::arg("diagram"), py::arg("inputs"), py::arg("outputs"), py::arg("time") = 0.0, py::kw_only(),
      py::arg("discrete") = false, py::arg("step") = LinearizeOptions().step, py::arg("mode") = "",
      py::arg("rig") = py::none(), py::arg("settings") = py::dict(), py::arg("overlays") = std::vector<Path>(),
      py::arg("plugins") = std::vector<Path>(), "A, B, C, D from signals to signals about the state at `time`.");
}

} // namespace hilda::python
