// SPDX-License-Identifier: BSD-3-Clause
// The entry point of lib/hilda/languages/python.so.

#include "engine/plugin/language.h"
#include "python/block_types/library.h"
#include "python/block_types/type.h"

#include <string>

namespace hilda::python_blocks {
namespace {

/// Reports Python's present error as one of a file.
std::int32_t fail(const char* file, const hilda_language_sink* sink) {
  const Ref error(take_error());
  const Ref function(library_function("_told"));
  const Ref told(PyObject_CallFunction(function.get(), "Os", error.get() != nullptr ? error.get() : Py_None, file));
  const char *place = nullptr, *what = nullptr, *help = nullptr;
  int line = 0;
  if (told && PyArg_ParseTuple(told.get(), "siss", &place, &line, &what, &help) != 0) {
    sink->error(sink->context, place, line, what, help);
  } else {
    PyErr_Clear();
    sink->error(sink->context, file, 0, "the file cannot be run, and Python does not say why", "run it with python3");
  }
  return 1;
}

std::int32_t give(PyObject* classes, const char* file, const hilda_language_sink* sink) {
  std::int32_t failed = 0;
  for (Py_ssize_t i = 0; i < PyList_Size(classes); ++i) {
    const Type* const type = type_of(PyList_GetItem(classes, i));
    if (type == nullptr)
      failed = fail(file, sink);
    else
      sink->type(sink->context, &type->table, type->file.c_str(), type->line);
  }
  return failed;
}

std::int32_t load(const char* file, const hilda_language_sink* sink) {
  const Hold hold;
  const Ref path(PyUnicode_FromString(file));
  const Ref classes(call_library("_run", path.get()));
  return classes ? give(classes.get(), file, sink) : fail(file, sink);
}

std::int32_t take(void* classes, const hilda_language_sink* sink) {
  const Hold hold;
  return give(static_cast<PyObject*>(classes), "blocks=", sink);
}

void bind(const hilda_block_type* type, void* record) { static_cast<Head*>(record)->type = type_with(type->slots); }

const char* translate(const hilda_block_type* table, const char* request) {
  static auto* const answer = new std::string;
  const Hold hold;
  const Type* const type = type_with(table->slots);
  const Ref function(translator_function());
  const Ref text(type != nullptr && function ? PyObject_CallFunction(function.get(), "Os", type->bound, request)
                                             : nullptr);
  const char* const words = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
  if (words == nullptr) PyErr_Print();
  *answer = words != nullptr ? words : "";
  return answer->c_str();
}

} // namespace
} // namespace hilda::python_blocks

extern "C" HILDA_EXPORT const hilda_language* hilda_language_entry(const hilda_language_sink*) {
  using namespace hilda::python_blocks;
  static constexpr hilda_language language{"python", &load, &take, &bind, &translate};
  return start_interpreter() ? &language : nullptr;
}
