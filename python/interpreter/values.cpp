// SPDX-License-Identifier: BSD-3-Clause
#include "python/interpreter/values.h"

#include "engine/quantity/value.h"

#include <cmath>
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

std::string shown(const py::handle& value) {
  return py::repr(value).attr("encode")("utf-8", "backslashreplace").cast<std::string>();
}

[[noreturn]] void refuse(const py::handle& value) {
  throw py::type_error("a parameter is a text such as '4 ms', a number, a bool or a sequence of them, not " +
                       shown(value));
}

/// Of NumPy's numbers what kind they are, as dtype has it: 'b', 'i', 'u', 'f'; 0 where it is none of NumPy's.
char numpy_kind(const py::handle& value) {
  static const py::handle generic = py::object(py::module_::import("numpy").attr("generic")).release();
  if (!py::isinstance(value, generic) && !py::isinstance<py::array>(value)) return 0;
  return value.attr("dtype").attr("kind").cast<char>();
}

std::string number_text(const py::handle& value) {
  const char kind = numpy_kind(value);
  // NumPy would give the real part of a complex number, and the count of a duration.
  if (kind != 0 && std::strchr("biuf", kind) == nullptr) refuse(value);
  if (PyBool_Check(value.ptr()) || kind == 'b') return PyObject_IsTrue(value.ptr()) == 1 ? "true" : "false";
  if (PyIndex_Check(value.ptr()))
    if (const auto whole = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()))) return py::str(whole);
  PyErr_Clear();
  const double number = PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    refuse(value);
  }
  if (std::isnan(number)) throw py::value_error("a parameter is a number, and nan is none");
  return decimal(number);
}

/// "1 0; 0 1"; a single row is "1 0;", for "1 0" is a vector.
std::string matrix_text(const py::handle& rows) {
  std::string text;
  py::ssize_t count = 0;
  for (const py::handle& row : rows) {
    if (!is_sequence(row)) throw py::type_error("a matrix has rows of numbers, and one of these is " + shown(row));
    for (const py::handle& item : row)
      if (is_sequence(item)) throw py::type_error("a matrix has rows of numbers, and these rows hold others");
    text += (count++ == 0 ? "" : "; ") + value_text(row);
  }
  return count == 1 && !text.empty() ? text + ";" : text;
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

std::string plain_text(const py::handle& text, const char* what) {
  if (!py::isinstance<py::str>(text)) throw py::type_error(std::string(what) + " is a text, not " + shown(text));
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) {
    PyErr_Clear();
    throw py::value_error(std::string(what) + " is not Unicode text: " + shown(text));
  }
  if (std::memchr(bytes, 0, static_cast<std::size_t>(size)) != nullptr)
    throw py::value_error(std::string(what) + " holds a null character: " + shown(text));
  return {bytes, static_cast<std::size_t>(size)};
}

std::string value_text(const py::handle& value) {
  if (py::isinstance<py::str>(value)) return plain_text(value, "a value");
  if (!is_sequence(value)) return number_text(value);
  std::string text;
  for (const py::handle& item : value) {
    if (is_sequence(item)) return matrix_text(value);
    text += (text.empty() ? "" : " ") + value_text(item);
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
