/* SPDX-License-Identifier: BSD-3-Clause */
/* Needs a function that no library has. */
#include <hilda/abi.h>

const hilda_plugin* a_function_of_nobody(void);
HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void);
HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void) { return a_function_of_nobody(); }
