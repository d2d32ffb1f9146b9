/* SPDX-License-Identifier: BSD-3-Clause */
/* A block of a user in C, whose model is in another library. */
#include "model.h"

#include <hilda/abi.h>

typedef struct follower {
  const double* u;
  double y;
  double state;
} follower;

static void follower_state_output(void* record, const hilda_tick* now) {
  follower* block = record;
  (void)now;
  block->y = block->state;
}

static void follower_update(void* record, const hilda_tick* now) {
  follower* block = record;
  (void)now;
  block->state = model_step(block->state, *block->u);
}

static const hilda_slot slots[] = {
    {.size = sizeof(hilda_slot),
     .role = HILDA_INPUT,
     .element = HILDA_F64,
     .flags = HILDA_IN_UPDATE,
     .name = "u",
     .shape = "",
     .unit = "@u",
     .doc = "Signal",
     .offset = offsetof(follower, u)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_OUTPUT,
     .element = HILDA_F64,
     .flags = HILDA_STATE_OUTPUT,
     .name = "y",
     .shape = "",
     .unit = "@u",
     .doc = "The model's state",
     .offset = offsetof(follower, y)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_STATE,
     .element = HILDA_F64,
     .name = "state",
     .shape = "",
     .unit = "@u",
     .doc = "The next output",
     .offset = offsetof(follower, state)},
};

static const hilda_block_type types[] = {{
    .size = sizeof(hilda_block_type),
    .name = "Follower",
    .doc = "Follows a signal by a model of the user's library.",
    .record_size = sizeof(follower),
    .record_align = _Alignof(follower),
    .slots = slots,
    .slot_count = sizeof slots / sizeof *slots,
    .slot_stride = sizeof *slots,
    .state_output = follower_state_output,
    .update = follower_update,
}};

static const hilda_plugin plugin = {
    .size = sizeof(hilda_plugin),
    .abi_major = HILDA_ABI_MAJOR,
    .abi_minor = 0,
    .type_stride = sizeof *types,
    .name = "users",
    .version = "0.1",
    .built = "C",
    .types = types,
    .type_count = sizeof types / sizeof *types,
};

HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void);
HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void) { return &plugin; }
