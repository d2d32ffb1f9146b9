/* SPDX-License-Identifier: BSD-3-Clause */
/* "hilda.limits/1": between which of its parameters a block holds an output.
 *
 * A fact about a type, for those who show a run: they mark a block whose output is at a limit. Nothing is computed from
 * it. */
#ifndef HILDA_LIMITS_H
#define HILDA_LIMITS_H

#include <hilda/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An output and its limits: each the name of a real parameter in the output's unit, with one number or one for each
 * element; "-name" is the negative of that parameter; null: there is no limit on this side. */
typedef struct hilda_limit {
  const char* output;
  const char* lower;
  const char* upper;
} hilda_limit;

typedef struct hilda_limits_1 {
  uint32_t size;
  uint32_t limit_stride;
  const hilda_limit* limits;
  uint64_t limit_count;
} hilda_limits_1;

#ifdef __cplusplus
}
#endif

#endif
