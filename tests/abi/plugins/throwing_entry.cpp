// SPDX-License-Identifier: BSD-3-Clause
// Lets an exception cross the boundary.
#include <hilda/abi.h>

extern "C" HILDA_EXPORT const hilda_plugin* hilda_plugin_entry() { throw 1; }
