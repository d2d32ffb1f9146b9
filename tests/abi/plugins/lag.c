/* SPDX-License-Identifier: BSD-3-Clause */
/* A plugin in plain C, from A to Z: one block, a first-order lag. docs/abi.md walks through it. */
#include <hilda/abi.h>
#include <math.h>

/* The record. The engine makes it in its own memory; every slot below names a member by its offset. */
typedef struct lag {
  const double* u;      /* input: points to the source's output */
  double y;             /* output */
  double time_constant; /* parameter, s */
  double initial;       /* parameter */
  double x;             /* state */
  double share;         /* no slot: follows from parameters, by prepare */
} lag;

/* tau dx/dt + x = u, exact for an input that is held: share = 1 - exp(-T / tau). */
static void lag_prepare(void* record, const hilda_instance* self) {
  lag* block = record;
  block->share = -expm1(-self->period / block->time_constant);
}

static int32_t lag_configure(void* record, const hilda_instance* self) {
  const lag* block = record;
  if (self->period <= 20 * block->time_constant) return 0;
  self->report(self->engine, "time_constant",
               "is so short that the lag does nothing at this sample time; leave the block out");
  return 1;
}

static void lag_initialize(void* record, const hilda_instance* self) {
  lag* block = record;
  (void)self;
  block->x = block->initial;
}

static void lag_state_output(void* record, const hilda_tick* now) {
  lag* block = record;
  (void)now;
  block->y = block->x;
}

static void lag_update(void* record, const hilda_tick* now) {
  lag* block = record;
  (void)now;
  block->x += block->share * (*block->u - block->x);
}

static const hilda_slot lag_slots[] = {
    {.size = sizeof(hilda_slot),
     .role = HILDA_INPUT,
     .element = HILDA_F64,
     .flags = HILDA_IN_UPDATE,
     .name = "u",
     .shape = "",
     .unit = "@u",
     .doc = "Signal",
     .offset = offsetof(lag, u)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_OUTPUT,
     .element = HILDA_F64,
     .flags = HILDA_STATE_OUTPUT,
     .name = "y",
     .shape = "",
     .unit = "@u",
     .doc = "The signal behind the lag",
     .offset = offsetof(lag, y)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_PARAMETER,
     .element = HILDA_F64,
     .flags = HILDA_ABOVE,
     .name = "time_constant",
     .shape = "",
     .unit = "s",
     .doc = "Of the lag",
     .minimum = 0,
     .maximum = INFINITY,
     .offset = offsetof(lag, time_constant)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_PARAMETER,
     .element = HILDA_F64,
     .name = "initial",
     .shape = "",
     .unit = "@u",
     .doc = "Output at the first tick",
     .initial = "0",
     .minimum = -INFINITY,
     .maximum = INFINITY,
     .offset = offsetof(lag, initial)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_STATE,
     .element = HILDA_F64,
     .name = "x",
     .shape = "",
     .unit = "@u",
     .doc = "The next output",
     .offset = offsetof(lag, x)},
};

static const hilda_block_type types[] = {{
    .size = sizeof(hilda_block_type),
    .name = "Lag",
    .doc = "Follows a signal with a first-order lag: tau dy/dt + y = u, exact for an input held over a sample time.",
    .record_size = sizeof(lag),
    .record_align = _Alignof(lag),
    .slots = lag_slots,
    .slot_count = sizeof lag_slots / sizeof *lag_slots,
    .slot_stride = sizeof *lag_slots,
    .configure = lag_configure,
    .prepare = lag_prepare,
    .initialize = lag_initialize,
    .state_output = lag_state_output,
    .update = lag_update,
}};

static const hilda_plugin plugin = {
    .size = sizeof(hilda_plugin),
    .abi_major = HILDA_ABI_MAJOR,
    .abi_minor = HILDA_ABI_MINOR,
    .type_stride = sizeof *types,
    .name = "lag",
    .version = "1.0",
    .built = "C",
    .types = types,
    .type_count = sizeof types / sizeof *types,
};

HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void);
HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void) { return &plugin; }
