// SPDX-License-Identifier: BSD-3-Clause
#include "python/simulation/outside.h"

#include "engine/base/error.h"
#include "python/interpreter/errors.h"
#include "python/interpreter/values.h"
#include "python/simulation/simulation.h"

#include <cstring>

namespace hilda::python {

namespace py = pybind11;

namespace {

[[noreturn]] void refuse_kind(const Input& input, const py::handle& value) {
  throw py::type_error("input " + in_quotes(input.path()) + " takes numbers, not " +
                       py::repr(value).attr("encode")("utf-8", "backslashreplace").cast<std::string>() +
                       ": texts are for set(..., live=True)");
}

std::string shape_text(const py::array& array) {
  std::string text;
  for (py::ssize_t i = 0; i < array.ndim(); ++i) text += (i > 0 ? "x" : "") + std::to_string(array.shape(i));
  return text.empty() ? "1" : text;
}

bool fits(const py::array& array, const Input& input) {
  if (input.cols() > 1) return array.ndim() == 2 && array.shape(0) == input.rows() && array.shape(1) == input.cols();
  return input.size() == 1 ? array.size() == 1 : array.ndim() == 1 && array.shape(0) == input.rows();
}

std::span<const double> of_array(const py::array_t<double>& array, const Input& input, std::vector<double>& room) {
  if (array.ndim() < 2) {
    for (std::size_t i = 0; i < input.size(); ++i)
      room[i] = array.ndim() == 0 ? *array.data() : array.at(static_cast<py::ssize_t>(i));
    return room;
  }
  const auto element = array.unchecked<2>();
  for (py::ssize_t col = 0; col < array.shape(1); ++col)
    for (py::ssize_t row = 0; row < array.shape(0); ++row)
      room[static_cast<std::size_t>(row + col * array.shape(0))] = element(row, col);
  return room;
}

} // namespace

std::span<const double> numbers_of(const py::handle& value, const Input& input, std::vector<double>& room) {
  if (room.size() != input.size()) room.resize(input.size());
  if (PyFloat_CheckExact(value.ptr()) || PyLong_Check(value.ptr())) { // a bool is one, too
    room[0] = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    return {room.data(), 1};
  }
  if (py::isinstance<py::str>(value) || py::isinstance<py::bytes>(value)) refuse_kind(input, value);
  const py::array any = py::array::ensure(value);
  if (!any) {
    PyErr_Clear();
    refuse_kind(input, value);
  }
  if (std::strchr("biuf", any.dtype().kind()) == nullptr) refuse_kind(input, value);
  if (!fits(any, input)) {
    const std::string has = input.cols() > 1 ? std::to_string(input.rows()) + "x" + std::to_string(input.cols())
                                             : std::to_string(input.rows());
    throw py::value_error("input " + in_quotes(input.path()) + " has " + has + " numbers, and " + shape_text(any) +
                          " came: its shape was settled when the diagram was loaded");
  }
  constexpr int in_a_row = py::array::c_style;
  if (any.ptr() == value.ptr() && py::isinstance<py::array_t<double, in_a_row>>(any) && any.ndim() < 2)
    return {static_cast<const double*>(any.data()), input.size()}; // the caller has the array
  return of_array(py::array_t<double, py::array::forcecast>::ensure(any), input, room);
}

void raise_refused(const Input& input, Written why, std::span<const double> numbers) {
  const std::string text = input.refusal(why, numbers);
  if (why == Written::gone || why == Written::other_run || why == Written::no_room) raise_error(text);
  throw py::value_error(text);
}

void InputHandle::write(const py::handle& value) { simulation_.write(*input_, numbers_of(value, *input_, room_)); }

OutputHandle::OutputHandle(Simulation& simulation, std::uint64_t generation, std::string path, const std::byte* data,
                           LogField field, ElementRange part)
    : simulation_(simulation), generation_(generation), path_(std::move(path)), data_(data), field_(std::move(field)),
      part_(part), plain_(field_.element == LogElement::f64 && (field_.cols == 1 || part.count != field_.elements())) {}

std::string OutputHandle::unit() const { return unit_of(field_, part_); }

py::object OutputHandle::read() const {
  simulation_.must_be(generation_, path_);
  if (!plain_) return sample_value(data_, field_, part_);
  const std::byte* const from = data_ + part_.first * sizeof(double);
  if (part_.count == 1) {
    double number = 0;
    std::memcpy(&number, from, sizeof number);
    return py::float_(number);
  }
  py::array_t<double> array(static_cast<py::ssize_t>(part_.count));
  std::memcpy(array.mutable_data(), from, part_.count * sizeof(double));
  return array;
}

} // namespace hilda::python
