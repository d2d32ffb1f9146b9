// SPDX-License-Identifier: BSD-3-Clause
#include "python/simulation/stepper.h"

#include "engine/log/log_number.h"
#include "python/interpreter/errors.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <exception>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

namespace hilda::python {

namespace py = pybind11;

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds between_looks{50};

/// Rows of NumPy are columns of the engine: where each element of a matrix lies, in NumPy's order.
std::vector<std::size_t> row_by_row(std::size_t rows, std::size_t cols) {
  std::vector<std::size_t> order;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t col = 0; col < cols; ++col) order.push_back(row + col * rows);
  return order;
}

void put(const auto& sources, double* to) {
  for (const auto& source : sources) *to++ = number_at(source.data, source.element);
}

} // namespace

Stepper::Stepper(const py::list& simulations, std::vector<std::string> actions, std::vector<std::string> observations,
                 std::vector<std::string> figures, std::size_t threads)
    : kept_(simulations), actions_(std::move(actions)), observations_(std::move(observations)),
      figures_(std::move(figures)), workers_(threads) {
  for (const py::handle& each : simulations) {
    all_.emplace_back();
    all_.back().simulation = &each.cast<Simulation&>();
    find(all_.back());
  }
  if (all_.empty()) throw py::value_error("no simulation to step");
}

/// Handles of the diagram that is loaded now.
void Stepper::find(One& one) {
  Loaded& loaded = one.simulation->loaded();
  const auto elements = [&loaded](const std::string& path) {
    const SignalTable& table = *loaded.table();
    const auto place = table.find(path);
    if (!place) raise_unknown(table.missing(path));
    const LogField& field = table.field(place->signal);
    const ElementRange part = place->part;
    const bool matrix = part.count == field.elements() && field.cols > 1;
    std::vector<Source> sources;
    for (const std::size_t i : matrix ? row_by_row(field.rows, field.cols) : row_by_row(part.count, 1))
      sources.push_back({loaded.data(place->signal) + (part.first + i) * element_bytes(field.element), field.element});
    return sources;
  };
  One found;
  found.simulation = one.simulation;
  found.generation = one.simulation->generation();
  for (const std::string& path : actions_) {
    Target target{one.simulation->input(path)->shared(), {}};
    const auto rows = static_cast<std::size_t>(target.input->rows());
    target.order = row_by_row(rows, target.input->size() / rows);
    found.actions += target.input->size();
    found.targets.push_back(std::move(target));
  }
  for (const std::string& path : observations_)
    for (const Source& source : elements(path)) found.observations.push_back(source);
  for (const std::string& path : figures_) found.figures.push_back(elements(path).front());
  one = std::move(found);
}

void Stepper::find_all() {
  for (One& one : all_)
    if (one.generation != one.simulation->generation()) find(one);
}

py::tuple Stepper::sizes() {
  find_all();
  return py::make_tuple(all_.front().actions, all_.front().observations.size(), all_.front().figures.size());
}

py::array_t<double> Stepper::look() {
  find_all();
  const std::size_t width = all_.front().observations.size();
  py::array_t<double> rows({all_.size(), width});
  for (std::size_t i = 0; i < all_.size(); ++i) put(all_[i].observations, rows.mutable_data() + i * width);
  return rows;
}

/// All of them or none.
void Stepper::write(const double* actions) {
  const auto each = [this, actions](auto&& use) {
    const double* from = actions;
    for (const One& one : all_)
      for (const Target& target : one.targets) {
        room_.resize(target.order.size());
        for (std::size_t i = 0; i < room_.size(); ++i) room_[target.order[i]] = from[i];
        from += room_.size();
        if (const Written why = use(*target.input); why != Written::taken) raise_refused(*target.input, why, room_);
      }
  };
  if (all_.size() > 1 || all_.front().targets.size() > 1)
    each([this](const Input& input) { return input.look(room_); });
  each([this](Input& input) { return input.write(room_); });
}

std::vector<char> Stepper::advance(std::int64_t ticks) {
  std::deque<Simulation::Ticks> steps;
  for (const One& one : all_) steps.emplace_back(*one.simulation, ticks);
  std::vector<std::exception_ptr> thrown(all_.size());
  bool left = true, interrupted = false;
  while (left && !interrupted) {
    {
      const py::gil_scoped_release release;
      const Clock::time_point until = Clock::now() + between_looks;
      workers_.run(all_.size(), [&steps, &thrown, until](std::size_t i) {
        try {
          if (steps[i].left()) steps[i].take(until);
        } catch (...) { thrown[i] = std::current_exception(); }
      });
    }
    for (const std::exception_ptr& each : thrown)
      if (each) std::rethrow_exception(each);
    left = std::any_of(steps.begin(), steps.end(), [](const auto& each) { return each.left(); });
    interrupted = PyErr_CheckSignals() != 0;
  }
  if (interrupted) throw py::error_already_set();
  std::vector<char> goes_on;
  for (Simulation::Ticks& each : steps) {
    each.conclude();
    goes_on.push_back(each.ended() ? 0 : 1);
  }
  return goes_on;
}

namespace {

/// Any numbers in a row.
py::array_t<double> flat(const py::handle& action) {
  if (PyList_CheckExact(action.ptr()) == 0) return Stepper::Numbers(py::reinterpret_borrow<py::object>(action));
  const auto list = py::reinterpret_borrow<py::list>(action);
  py::array_t<double> array(static_cast<py::ssize_t>(list.size()));
  double* to = array.mutable_data();
  for (const py::handle& each : list) {
    if (PyFloat_CheckExact(each.ptr()) == 0) return Stepper::Numbers(list);
    *to++ = PyFloat_AS_DOUBLE(each.ptr());
  }
  return array;
}

} // namespace

py::tuple Stepper::step(const py::handle& action, std::int64_t ticks) {
  One& one = all_.front();
  if (one.generation != one.simulation->generation()) find(one);
  py::array_t<double> numbers = flat(action);
  if (static_cast<std::size_t>(numbers.size()) != one.actions)
    throw py::value_error(
        fmt::format("the action has {} numbers; {} take {}", numbers.size(), fmt::join(actions_, ", "), one.actions));
  if (numbers.ndim() != 1) numbers = numbers.reshape({-1});
  one.simulation->loaded(); // is it free?
  write(numbers.data());
  const bool goes_on = one.simulation->step(ticks);
  py::array_t<double> seen(static_cast<py::ssize_t>(one.observations.size()));
  put(one.observations, seen.mutable_data());
  py::tuple figures(one.figures.size());
  for (std::size_t i = 0; i < one.figures.size(); ++i)
    figures[i] = py::float_(number_at(one.figures[i].data, one.figures[i].element));
  return py::make_tuple(std::move(seen), std::move(numbers), std::move(figures), goes_on,
                        one.simulation->loaded().runtime().time());
}

py::tuple Stepper::step_each(const Numbers& actions, std::int64_t ticks) {
  find_all();
  const std::size_t count = all_.size(), width = all_.front().actions;
  if (actions.ndim() != 2 || static_cast<std::size_t>(actions.shape(0)) != count ||
      static_cast<std::size_t>(actions.shape(1)) != width)
    throw py::value_error(fmt::format("the actions have {} numbers; {} environments take {} each for {}",
                                      actions.size(), count, width, fmt::join(actions_, ", ")));
  for (const One& one : all_) one.simulation->loaded(); // are they free?
  write(actions.data());
  const std::vector<char> goes_on = advance(ticks);
  const std::size_t seen = all_.front().observations.size(), wanted = all_.front().figures.size();
  py::array_t<double> rows({count, seen}), figures({count, wanted}), times(static_cast<py::ssize_t>(count));
  py::array_t<bool> going(static_cast<py::ssize_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    put(all_[i].observations, rows.mutable_data() + i * seen);
    put(all_[i].figures, figures.mutable_data() + i * wanted);
    times.mutable_data()[i] = all_[i].simulation->loaded().runtime().time();
    going.mutable_data()[i] = goes_on[i] != 0;
  }
  return py::make_tuple(std::move(rows), std::move(figures), std::move(going), std::move(times));
}

} // namespace hilda::python
