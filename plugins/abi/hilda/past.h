/* SPDX-License-Identifier: BSD-3-Clause */
/* "hilda.past/1": of a continuous block that puts out what an input was a while ago.
 *
 * Where steps are as long as an error allows, values at ticks are too few to say what a signal was between them. The
 * engine then remembers the input along its own curves, with the times at which it jumps or has a kink, and makes these
 * ends of steps again one age later. Where steps are fixed none of this is called. */
#ifndef HILDA_PAST_H
#define HILDA_PAST_H

#include <hilda/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hilda_past_1 {
  uint32_t size;
  uint32_t reserved;
  const char* input;                 /* the slot: of real numbers, and not repeated */
  double (*age)(const void* record); /* s, above zero; asked once, after prepare. Steps are no longer than that. */
  /* [loop] Before state_output, at ticks and between them: the elements of the input as they were one age ago, which
   * stay where they are until the next call. Null: that was before the engine began to remember, at the start or at a
   * reset. */
  void (*recall)(void* record, const double* values);
} hilda_past_1;

#ifdef __cplusplus
}
#endif

#endif
