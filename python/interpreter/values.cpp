#include "python/interpreter/values.h"

#include "engine/value/value.h"

#include <cstring>
#include <nlohmann/json.hpp>
#include <pybind11/stl.h>

namespace hilda::python {
namespace {

namespace py = pybind11;

bool is_sequence(const py::handle& value) {
  if (py::isinstance<py::array>(value)) return py::reinterpret_borrow<py::array>(value).ndim() > 0;
  return py::isinstance<py::list>(value) || py::isinstance<py::tuple>(value);
}

std::string number_text(const py::handle& value) {
  if (PyBool_Check(value.ptr())) return value.cast<bool>() ? "true" : "false";
  if (PyLong_Check(value.ptr())) return py::str(value);
  const double number = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred() == nullptr) return decimal(number);
  PyErr_Clear();
  throw py::type_error("a parameter is a text such as '4 ms', a number, a bool or a sequence of them, not " +
                       std::string(py::repr(value)));
}

py::dtype type_of(LogElement element) {
  switch (element) {
  case LogElement::i64: return py::dtype::of<std::int64_t>();
  case LogElement::u64: return py::dtype::of<std::uint64_t>();
  case LogElement::boolean: return py::dtype::of<bool>();
  case LogElement::f64: break;
  }
  return py::dtype::of<double>();
}

/// Shape of one sample; a part of a signal is a vector or a number, and so is a matrix of one column, which lies as a
/// vector does.
std::vector<py::ssize_t> shape_of(const LogField& field, ElementRange part) {
  if (part.count == 1) return {};
  if (part.count == field.elements() && field.cols > 1)
    return {static_cast<py::ssize_t>(field.rows), static_cast<py::ssize_t>(field.cols)};
  return {static_cast<py::ssize_t>(part.count)};
}

} // namespace

std::string value_text(const py::handle& value) {
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (!is_sequence(value)) return number_text(value);
  std::string text;
  for (const py::handle& item : value) {
    const bool row = is_sequence(item);
    if (!text.empty()) text += row ? "; " : " ";
    if (row)
      for (const py::handle& inner : item)
        if (is_sequence(inner)) throw py::type_error("a matrix has rows of numbers, and these rows hold others");
    text += value_text(item);
  }
  return text;
}

py::object to_python(const nlohmann::ordered_json& json, bool arrays) {
  if (json.is_null()) return py::none();
  if (json.is_boolean()) return py::bool_(json.get<bool>());
  if (json.is_number_integer()) return py::int_(json.get<std::int64_t>());
  if (json.is_number()) return py::float_(json.get<double>());
  if (json.is_string()) return py::str(json.get<std::string>());
  if (json.is_object()) {
    py::dict object;
    for (const auto& [key, value] : json.items()) object[py::str(key)] = to_python(value, arrays);
    return object;
  }
  py::list list;
  bool numbers = true;
  for (const auto& item : json) {
    numbers = numbers && (item.is_number() || item.is_array());
    list.append(to_python(item, false));
  }
  if (!arrays || !numbers) return list;
  return py::array::ensure(list);
}

py::array samples_array(const std::byte* data, std::size_t samples, std::size_t stride, const LogField& field,
                        ElementRange part) {
  const std::size_t size = element_bytes(field.element), bytes = part.count * size;
  const auto count = static_cast<py::ssize_t>(samples);
  const std::vector<py::ssize_t> shape = shape_of(field, part);
  // A matrix lies column by column.
  std::vector<py::ssize_t> lying{count};
  lying.insert(lying.end(), shape.rbegin(), shape.rend());
  py::array array(type_of(field.element), lying);
  auto* to = static_cast<std::byte*>(array.mutable_data());
  if (bytes > 0)
    for (std::size_t i = 0; i < samples; ++i) std::memcpy(to + i * bytes, data + i * stride + part.first * size, bytes);
  if (shape.size() == 2) return array.attr("transpose")(0, 2, 1);
  return array;
}

py::object sample_value(const std::byte* data, const LogField& field, ElementRange part) {
  return samples_array(data, 1, field.bytes(), field, part).attr("__getitem__")(0);
}

} // namespace hilda::python
