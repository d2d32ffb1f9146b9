// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "python/block_types/python.h"
#include "tools/modules.h"

#include <string>

namespace hilda::python_blocks {

/// Starts the interpreter where the process has none, and finds hilda/block.py: of the package, or the one in this
/// library. False with Python's error set, or without where there is no interpreter.
bool start_interpreter();

/// A function of hilda/block.py. Null with Python's error set.
PyObject* library_function(const char* name);
/// Calls one with one argument.
PyObject* call_library(const char* name, PyObject* argument);

/// The function of translate.py that writes methods in C++. Null with Python's error set.
PyObject* translator_function();

/// Takes Python's present error. Null: there is none.
PyObject* take_error();

} // namespace hilda::python_blocks
