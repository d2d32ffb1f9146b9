// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/log/log_format.h"
#include "tools/modules.h"

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <pybind11/numpy.h>
#include <string>

namespace hilda::python {

/// A parameter's value as a diagram would have it: text as it is, numbers in the declared unit, sequences as "1 2 3",
/// nested ones as rows "1 0; 0 1", "1 0;". Throws TypeError for anything else, ValueError for a text or a number that
/// cannot be one.
std::string value_text(const pybind11::handle& value);

/// A text in UTF-8. Throws TypeError where it is none, ValueError where it holds half a pair or a null character.
/// @param what  what it is, for the message: "a value"
std::string plain_text(const pybind11::handle& text, const char* what);

/// A parsed document as Python's dictionaries, lists and numbers.
/// @param arrays  lists of numbers become NumPy arrays
pybind11::object to_python(const nlohmann::ordered_json& json, bool arrays);

/// Samples of a signal or a part of one, copied: shape (samples,) of a scalar, (samples, n) of a vector, (samples,
/// rows, columns) of a matrix.
/// @param data    where the first sample of `field` begins
/// @param stride  from sample to sample, bytes
/// @param part    elements of the field
pybind11::array samples_array(const std::byte* data, std::size_t samples, std::size_t stride, const LogField& field,
                              ElementRange part);

/// One sample: a number for a scalar, else an array without the axis of samples.
pybind11::object sample_value(const std::byte* data, const LogField& field, ElementRange part);

} // namespace hilda::python
