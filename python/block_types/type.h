// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "python/block_types/python.h"
#include "tools/modules.h"

#include <deque>
#include <hilda/abi.h>
#include <string>
#include <vector>

namespace hilda::python_blocks {

/// When a method runs: what it may read and write follows from it.
enum class Phase : std::uint8_t {
  none,
  configure,
  prepare,
  initialize,
  start,
  stop,
  summary,
  output,
  update,
  derivatives,
  event
};
constexpr std::size_t phase_count = 11;
const char* phase_name(Phase phase);

/// What a value of a slot is to Python.
enum class Form : std::uint8_t { number, integer, unsigned_integer, boolean, text, choice };

/// A port, parameter or state: where it lies in a record.
struct Member {
  std::string name;
  hilda_role role{};
  Form form{};
  bool bound = false;     ///< a hilda_view or hilda_array
  bool repeated = false;  ///< hilda_views or hilda_arrays
  bool in_update = false; ///< input: not for output
  bool derivative = false;
  bool side = false;  ///< of a crossing: on which side of zero it is
  bool modal = false; ///< state
  std::uint64_t offset = 0;
  std::size_t place = 0; ///< among the members
  std::vector<std::string> choices;
  double initial = 0; ///< state
};

/// A block type that a class makes. It lives to the end of the process.
struct Type {
  hilda_block_type table{};
  std::string name, doc, file, faults;
  int line = 0;
  std::deque<std::string> texts;
  std::vector<hilda_slot> slots;
  std::deque<Member> members; ///< a continuous state has another one for its derivative
  PyObject* bound = nullptr;  ///< the class with the engine's memory behind its members
  PyObject* methods[phase_count] = {};

  const char* keep(const std::string& text) { return texts.emplace_back(text).c_str(); }
};

/// What comes first in each record.
struct Head {
  const Type* type;
  struct RecordObject* object; ///< null until it is needed
};

/// The type of a class; the same each time. Null with Python's error set.
Type* type_of(PyObject* owner);
/// The one whose slots a table has; null: none.
Type* type_with(const hilda_slot* slots);

} // namespace hilda::python_blocks
