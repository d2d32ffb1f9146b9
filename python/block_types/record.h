// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "python/block_types/type.h"
#include "tools/modules.h"

#include <string>
#include <vector>

namespace hilda::python_blocks {

/// The argument `t` of a phase.
struct TickObject {
  PyObject_HEAD const hilda_tick* now; ///< null when no phase runs
  const void* record;
};

/// An instance of a block's class: its members are in the record.
struct RecordObject {
  PyObject_HEAD char* record;
  const Type* type;
  Phase phase;
  TickObject* tick;
  PyObject** views; ///< by member, twice: for reading, and for writing; null until asked for
  PyObject* path;
  double period;
  unsigned long long seed;
  bool simulated;
  std::vector<char>* saved; ///< states before an update that Ctrl-C may interrupt
};

PyTypeObject* record_class();
PyTypeObject* tick_class();

/// The object of a record, made where there is none. Null with Python's error set.
RecordObject* object_of(void* record);
/// The record is destroyed; the object may live on, and refuses then.
void let_go(void* record);

/// A text that lives to the end of the process: the same one for the same words.
const char* kept_for_ever(const std::string& text);

} // namespace hilda::python_blocks
