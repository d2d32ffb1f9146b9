/* SPDX-License-Identifier: BSD-3-Clause */
/* Allocates in its event alone. */
#include "table.h"
#include <stdlib.h>

typedef struct block {
  const double* u;
  double y, mode, far, side;
} block;

static void output(void* record, const hilda_tick* now) {
  block* b = record;
  (void)now;
  b->y = b->mode;
  b->far = *b->u;
}

static void event(void* record, const hilda_tick* now, const hilda_fired* fired, uint64_t count) {
  block* b = record;
  (void)now;
  if (count == 0) return;
  double* volatile copy = malloc(sizeof *copy);
  if (copy != NULL) *copy = fired->direction;
  b->mode = copy != NULL && fired->crossing == &b->far ? *copy : 0;
  free(copy);
}

static const hilda_slot slots[] = {INPUT(block, u, 0),
                                   SLOT(HILDA_OUTPUT, block, y, 0, "1", 0),
                                   SLOT(HILDA_STATE, block, mode, HILDA_MODE, "1", 0),
                                   {.size = sizeof(hilda_slot),
                                    .role = HILDA_WORK,
                                    .element = HILDA_F64,
                                    .flags = HILDA_CROSSING,
                                    .name = "far",
                                    .shape = "",
                                    .unit = "@u",
                                    .doc = "Of a liar",
                                    .minimum = -INFINITY,
                                    .maximum = INFINITY,
                                    .offset = offsetof(block, far),
                                    .second_offset = offsetof(block, side)}};
LIAR(block, slots, .output = output, .event = event)
