// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

// What bin/hilda takes from libhilda.so, or a compiled program from libhilda_program.so, by these names.
extern "C" {
/// The program hilda from its arguments to its exit code.
int hilda_run(int count, char** arguments);
/// Ends the program where a plugin ends it by `function`, and says whose fault it was; returns where none does.
void hilda_refuse_exit(const char* function);

/// A part of a compiled program (tools/bundle/parts.h).
struct hilda_program_part {
  const char *kind, *name;
  std::uint64_t at, bytes, hash;
  int memory; ///< descriptor of the part in memory; -1: it is only in the file
};
/// A compiled program from its arguments to its exit code. `file`: its descriptor.
int hilda_run_program(int count, char** arguments, int file, const hilda_program_part* parts, std::size_t part_count);
}
