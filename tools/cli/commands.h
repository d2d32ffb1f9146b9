// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What bin/hilda takes from libhilda.so, by these names.
extern "C" {
/// The program hilda from its arguments to its exit code.
int hilda_run(int count, char** arguments);
/// Ends the program where a plugin ends it by `function`, and says whose fault it was; returns where none does.
void hilda_refuse_exit(const char* function);
}
