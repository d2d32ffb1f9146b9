/* SPDX-License-Identifier: BSD-3-Clause */
/* "hilda.lanes/1": equal blocks computed side by side.
 *
 * A variant of a type (HILDA_VARIANT) may be laid out for `width` lanes: of each 8 * width bytes of a record it uses
 * the first 8 alone. The engine lets the records of `width` equal blocks lie in one another: that of lane i begins
 * 8 * i bytes behind that of lane 0. What the blocks have in common then lies side by side: a number of all of them is
 * one load. A state or parameter of several numbers has them 8 * width bytes apart. Every function of the type works on
 * the record of one lane as on any other record; those here compute whole groups, with the same bits. Such a variant
 * is listed after the one for the same shapes without lanes. */
#ifndef HILDA_LANES_H
#define HILDA_LANES_H

#include <hilda/abi.h>

#ifdef __cplusplus
extern "C" {
#endif

/* `first` is the record of lane 0 of the first of `count` groups, `stride` bytes apart; each begins at a multiple of
 * 8 * width. Within a group, inputs are driven in all lanes or in none, parameters that are not real numbers are equal,
 * either all feed through or none does, and no block reads another's outputs. A function that is null is not there: the
 * blocks are then called one by one. Where the processor has not what the functions need, all are null. [loop] all of
 * these. */
typedef struct hilda_lanes_1 {
  uint32_t size;
  uint32_t width; /* 2, 4 or 8 */
  void (*state_output)(void* first, uint64_t stride, uint64_t count, const hilda_tick* now);
  void (*output)(void* first, uint64_t stride, uint64_t count, const hilda_tick* now);
  void (*update)(void* first, uint64_t stride, uint64_t count, const hilda_tick* now);
  void (*step)(void* first, uint64_t stride, uint64_t count, const hilda_tick* now); /* output and then update */
} hilda_lanes_1;

#ifdef __cplusplus
}
#endif

#endif
