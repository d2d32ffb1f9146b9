// SPDX-License-Identifier: BSD-3-Clause
#include "python/bench.h"

#include "python/blocks.h"
#include "python/interpreter/errors.h"
#include "python/interpreter/installation.h"
#include "python/interpreter/made.h"
#include "python/interpreter/values.h"
#include "tools/cli/plugin_trial.h"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace hilda::python {
namespace {

namespace py = pybind11;
using Path = std::filesystem::path;
using Floats = py::array_t<double, py::array::f_style | py::array::forcecast>;

/// A class with @hilda.block, or the name of a block.
const BlockType* type_named(const py::object& block, const std::vector<Path>& plugins) {
  if (py::isinstance<py::str>(block)) return block_named(block.cast<std::string>(), plugins);
  py::list classes;
  classes.append(block);
  return types_of(classes).front();
}

/// What a function of the test kit throws, as hilda.Error.
template <typename Body> auto in_kit(Body&& body) {
  try {
    return body();
  } catch (const py::error_already_set&) { throw; } catch (const py::builtin_exception&) {
    throw;
  } catch (const std::runtime_error& error) { raise_error(error.what()); }
}

testing::Shape shape_of(const std::vector<std::int64_t>& sizes) {
  if (sizes.size() > 2) throw py::value_error("a shape is (), (n,) or (rows, columns)");
  return {sizes.empty() ? 1 : sizes[0], sizes.size() < 2 ? 1 : sizes[1]};
}

/// Column by column.
testing::Value value_of(const py::handle& value) {
  const auto array = Floats::ensure(value);
  if (!array) throw py::error_already_set();
  const std::vector<std::int64_t> sizes(array.shape(), array.shape() + array.ndim());
  return {shape_of(sizes), std::vector<double>(array.data(), array.data() + array.size())};
}

py::object number_of(std::uint32_t element, double number) {
  if (element == HILDA_U8) return py::bool_(number != 0);
  if (element == HILDA_F64) return py::float_(number);
  return py::int_(static_cast<std::int64_t>(number));
}

struct Given {
  py::dict parameters;
  double period = 0;
  std::map<std::string, std::vector<std::int64_t>> shapes;
  std::map<std::string, int> counts;
  std::set<std::string> undriven;
};

testing::Setup setup_of(const testing::Type& type, const Given& given) {
  testing::Setup setup;
  for (const auto& [name, value] : given.parameters) {
    const auto key = name.cast<std::string>();
    const hilda_slot* const slot = type.find(key, HILDA_PARAMETER);
    if (slot == nullptr) throw testing::Impossible("the block " + type.name() + " has no parameter '" + key + "'");
    setup.parameters[key] = testing::read_value(*slot, value_text(value));
  }
  for (const auto& [name, sizes] : given.shapes) setup.shapes[name] = shape_of(sizes);
  setup.counts = given.counts, setup.undriven = given.undriven, setup.period = given.period;
  return setup;
}

/// One block without a diagram.
class PythonBench {
public:
  using BoundToPython = void;

  PythonBench(const py::object& block, const std::vector<Path>& plugins, const Given& given)
      : type_(cli::trial_type(*type_named(block, plugins))),
        bench_(in_kit([&] { return std::make_unique<testing::Bench>(type_, setup_of(type_, given)); })) {}

  void set(const std::string& name, const py::object& value) {
    in_kit([&] { bench_->set(name, value_of(value)); });
  }
  py::object get(const std::string& name) const {
    const testing::Value value = in_kit([&] { return bench_->get(name); });
    const std::uint32_t element = element_of(name);
    if (value.numbers.size() == 1) return number_of(element, value.numbers[0]);
    const auto size = [](std::int64_t n) { return static_cast<py::ssize_t>(n); };
    std::vector<py::ssize_t> sizes{size(value.shape.rows)};
    if (value.shape.cols > 1) sizes.push_back(size(value.shape.cols));
    Floats array(sizes);
    std::copy(value.numbers.begin(), value.numbers.end(), array.mutable_data());
    return element == HILDA_F64 ? py::object(array) : array.attr("astype")(element == HILDA_U8 ? "bool" : "int64");
  }
  void step(std::int64_t ticks) {
    for (; ticks > 0 && bench_->verdict() == HILDA_GO; --ticks) {
      act([](testing::Bench& bench) { bench.compute(); }); // with the tick at which it fails
      act([](testing::Bench& bench) { bench.advance(); });
    }
  }
  /// Does something, and throws RunError where the block has failed in it.
  void act(const std::function<void(testing::Bench&)>& what) {
    in_kit([&] { what(*bench_); });
    if (bench_->verdict() != HILDA_FAIL) return;
    Ending ending;
    ending.kind = Ending::Kind::failed;
    ending.tick = bench_->tick(), ending.time = bench_->time(), ending.block = type_.name();
    ending.text = bench_->verdict_text(), ending.value = std::nan("");
    raise_run_error(ending, py::none());
  }
  const testing::Bench& bench() const { return *bench_; }
  const testing::Type& type() const { return type_; }

private:
  std::uint32_t element_of(const std::string& name) const {
    for (const testing::Piece& piece : bench_->pieces())
      if (piece.name() == name) return piece.slot->element;
    return HILDA_F64;
  }

  testing::Type type_;
  std::unique_ptr<testing::Bench> bench_;
};

const char* verdict_word(testing::Verdict verdict) {
  return verdict == testing::Verdict::passed   ? "passed"
         : verdict == testing::Verdict::failed ? "failed"
                                               : "not applicable";
}

/// (block, check, verdict, why) of each check.
std::vector<std::tuple<std::string, std::string, std::string, std::string>>
check_all(const py::object& block, double time_limit, const std::vector<Path>& plugins) {
  std::vector<std::tuple<std::string, std::string, std::string, std::string>> rows;
  for (const testing::Finding& each : cli::try_block(*type_named(block, plugins), nullptr, time_limit))
    rows.emplace_back(each.block, each.check, verdict_word(each.verdict), each.why);
  return rows;
}

using Sizes = std::map<std::string, std::vector<std::int64_t>>;

std::unique_ptr<PythonBench> make(const py::object& block, const py::dict& parameters, double period,
                                  const Sizes& shapes, const std::map<std::string, int>& counts,
                                  const std::set<std::string>& undriven, const std::vector<Path>& plugins) {
  return std::make_unique<PythonBench>(block, plugins, Given{parameters, period, shapes, counts, undriven});
}

} // namespace

void bind_bench(py::module_& module) {
  py::class_<testing::Checkpoint>(module, "BenchCheckpoint", "What the block on a bench remembers.")
      .def("__eq__", [](const testing::Checkpoint& a, const testing::Checkpoint& b) { return a == b; });
  py::class_<PythonBench>(module, "Bench", "One block without a diagram.")
      .def(py::init(&make), py::arg("block"), py::kw_only(), py::arg("parameters") = py::dict(),
           py::arg("period") = 1e-3, py::arg("shapes") = Sizes(), py::arg("counts") = std::map<std::string, int>(),
           py::arg("undriven") = std::set<std::string>(), py::arg("plugins") = std::vector<Path>())
      .def("__setitem__", &PythonBench::set, py::arg("name"), py::arg("value"), "An input, or a live parameter, in SI.")
      .def("__getitem__", &PythonBench::get, py::arg("name"), "An output, state, input or parameter, in SI.")
      .def("step", &PythonBench::step, py::arg("ticks") = 1, "Runs ticks; ends early where the block ends the run.")
      .def(
          "compute", [](PythonBench& b) { b.act([](testing::Bench& bench) { bench.compute(); }); },
          "The outputs of this tick.")
      .def(
          "advance", [](PythonBench& b) { b.act([](testing::Bench& bench) { bench.advance(); }); },
          "The states of the next tick.")
      .def(
          "fire",
          [](PythonBench& b, const std::string& crossing, int direction, std::size_t element) {
            b.act([&](testing::Bench& bench) { bench.fire(crossing, direction, element); });
          },
          py::arg("crossing"), py::arg("direction"), py::arg("element") = 0,
          "Calls event: the crossing has become positive (1) or negative (-1).")
      .def(
          "fire_restart", [](PythonBench& b) { b.act([](testing::Bench& bench) { bench.fire_restart(); }); },
          "Calls event as where steps restart.")
      .def(
          "reset", [](PythonBench& b) { b.act([](testing::Bench& bench) { bench.reset(); }); },
          "States are as at the start; time continues.")
      .def(
          "checkpoint", [](const PythonBench& b) { return in_kit([&] { return b.bench().checkpoint(); }); },
          "All that the block remembers.")
      .def(
          "restore",
          [](PythonBench& b, const testing::Checkpoint& c) { b.act([&](testing::Bench& bench) { bench.restore(c); }); },
          py::arg("checkpoint"), "Continues from there.")
      .def_property_readonly(
          "tick", [](const PythonBench& b) { return b.bench().tick(); }, "The next one.")
      .def_property_readonly(
          "time", [](const PythonBench& b) { return b.bench().time(); }, "Of the next tick, s.")
      .def_property_readonly(
          "stopped",
          [](const PythonBench& b) -> std::optional<std::string> {
            if (b.bench().verdict() == HILDA_GO) return std::nullopt;
            return b.bench().verdict_text();
          },
          "The text with which the block has ended the run, or None.")
      .def("__repr__", [](const PythonBench& b) {
        return fmt::format("<hilda.testing.Bench of {} at tick {}>", b.type().name(), b.bench().tick());
      });
  module.def("check_all", &check_all, py::arg("block"), py::kw_only(), py::arg("time_limit") = 10.0,
             py::arg("plugins") = std::vector<Path>(), "All checks of the test kit.");
}

} // namespace hilda::python
