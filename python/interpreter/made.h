// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <pybind11/pybind11.h>
#include <string>
#include <type_traits>

namespace hilda::base {
struct Diagnostic;
}
namespace hilda::run {
struct Checkpoint;
}

namespace hilda::python {

/// A class that Python sees: of this module by its member type BoundToPython.
template <class T>
concept Bound = std::is_same_v<T, Diagnostic> || std::is_same_v<T, Checkpoint> || requires {
  typename T::BoundToPython;
};

/// Refuses an object that Python made without its constructor, as Diagram.__new__(Diagram) does: pybind11 would hand
/// out memory in which nothing was constructed.
template <class T> class MadeCaster : public pybind11::detail::type_caster_base<T> {
public:
  bool load(pybind11::handle from, bool convert) {
    if (pybind11::isinstance<T>(from)) {
      auto* const object = reinterpret_cast<pybind11::detail::instance*>(from.ptr());
      if (object->get_value_and_holder().value_ptr() == nullptr)
        throw pybind11::type_error("the object of type " + std::string(Py_TYPE(from.ptr())->tp_name) +
                                   " is empty: its constructor was not called");
    }
    return pybind11::detail::type_caster_base<T>::load(from, convert);
  }
};

} // namespace hilda::python

namespace pybind11::detail {
template <hilda::python::Bound T> class type_caster<T> : public hilda::python::MadeCaster<T> {};
} // namespace pybind11::detail
