// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <hilda/abi.h>

extern "C" {

/// What a language library says of source files. The texts are copied.
struct hilda_language_sink {
  void* context;
  /// A block type, and where its class begins. It lives as long as the process; the same class gives the same type.
  void (*type)(void* context, const hilda_block_type* type, const char* file, std::int32_t line);
  void (*error)(void* context, const char* file, std::int32_t line, const char* what, const char* help);
};

/// A library that makes block types of what is in source files of a language. It is part of hilda, and of the same
/// build: this is not the boundary of plugins, whose hilda_block_type it fills.
struct hilda_language {
  const char* name; ///< "python": what the names of its types begin with
  /// Runs a source file. Non-zero after an error.
  std::int32_t (*load)(const char* file, const hilda_language_sink* sink);
  /// Takes classes of the interpreter that runs this process: a list, in the language's own form.
  std::int32_t (*take)(void* classes, const hilda_language_sink* sink);
  /// Gives a record, right after construct, its type: the one with these slots.
  void (*bind)(const hilda_block_type* type, void* record);
  /// The methods of a type in C++, as a text that lives until the next call. Request and answer are JSON.
  const char* (*translate)(const hilda_block_type* type, const char* request);
};

/// Starts the interpreter where the process has none. Null after an error.
typedef const hilda_language* (*hilda_language_entry_function)(const hilda_language_sink* sink);
#define HILDA_LANGUAGE_ENTRY "hilda_language_entry"
}
