/* SPDX-License-Identifier: BSD-3-Clause */
/* Abilities of a block that talks to a device: how time follows the device's cycle, and what keeps it at rest. */
#ifndef HILDA_DEVICES_H
#define HILDA_DEVICES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "hilda.clock/1": a device whose cycle is the tick. A running diagram has one of them at most. */
enum hilda_cycle_kind {
  HILDA_CYCLE_GONE = -1, /* the device is not there any more: the run ends */
  HILDA_CYCLE_LATE = 0,  /* the deadline passed: a tick with held inputs */
  HILDA_CYCLE_CAME = 1
};
typedef struct hilda_cycle {
  uint32_t size;
  uint32_t reserved;
  int64_t arrival; /* ns, CLOCK_MONOTONIC: when the cycle's packet was there */
} hilda_cycle;
typedef struct hilda_clock_1 {
  uint32_t size;
  uint32_t reserved;
  /* After configure: s a cycle; 0: this block, as configured, paces nothing. */
  double (*period)(const void* record);
  /* [loop] Before the acquire of each tick: waits for the next cycle, in one system call that ends at `deadline` (ns,
   * CLOCK_MONOTONIC) at the latest. Of several packets that have come, only the newest counts. */
  int32_t (*wait)(void* record, int64_t deadline, hilda_cycle* cycle);
  /* Since 1.1, may be null. After configure: how many cycles in a row the loop waits for before it continues by itself;
   * 0: the device does not count its cycles. One that does makes time follow its count: `wait` returns HILDA_CYCLE_LATE
   * at once for each cycle that the count says was missed, and then the one that came. */
  int64_t (*patience)(const void* record);
} hilda_clock_1;

/* What became of the value that a device was sent last. */
enum hilda_fate {
  HILDA_FATE_UNSAID = 0, /* the device does not say; it counts as taken */
  HILDA_FATE_TAKEN = 1,  /* in the cycle that it was meant for */
  HILDA_FATE_STOOD = 2,  /* taken; cycles without a value followed, in which the device came to rest there */
  HILDA_FATE_LOST = 3,   /* not taken: the device rests at the value before it */
  HILDA_FATE_UNKNOWN = 4 /* not known yet: the device is sent nothing until it is */
};
/* "hilda.actuation/1": what keeps a device where it is, for the inputs marked HILDA_ACTUATION. The loop starts there.
 */
typedef struct hilda_actuation_1 {
  uint32_t size;
  uint32_t reserved;
  /* [loop] After an acquire: writes the value of the input of that name for which the device stays at rest. Non-zero:
   * not known yet. */
  int32_t (*rest)(const void* record, const char* input, double* value);
  /* Since 1.1, may be null. [loop] After an acquire: the hilda_fate of what the input of that name brought last. Limits
   * count from what the device has. Follows from the block's measurement outputs alone, so that a replay says the same.
   */
  int32_t (*fate)(const void* record, const char* input);
} hilda_actuation_1;

#ifdef __cplusplus
}
#endif

#endif
