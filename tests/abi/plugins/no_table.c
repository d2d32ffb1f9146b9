/* SPDX-License-Identifier: BSD-3-Clause */
/* An entry point that has nothing to show. */
#include <hilda/abi.h>

HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void);
HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void) { return NULL; }
