// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace hilda::cli {

/// Is this a program that `hilda compile` wrote?
bool is_compiled_program();
/// Opens what is in the program and runs it; its exit code. `opened` gets the library of the engine before that.
int run_compiled_program(int count, char** arguments, void (*opened)(void* library));

} // namespace hilda::cli
