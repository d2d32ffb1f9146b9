/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes the rounding mode when it is asked for its table. */
#include <fenv.h>
#include <hilda/abi.h>

HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void);
HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void) {
  fesetround(FE_UPWARD);
  return NULL;
}
