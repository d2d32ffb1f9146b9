/* SPDX-License-Identifier: BSD-3-Clause */
/* A sound plugin with one thing wrong, which the environment variable HILDA_MALFORMED names. */
#include <hilda/lanes.h>
#include <hilda/limits.h>
#include <hilda/past.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct record {
  const double* u;
  double y;
  double gain;
  double x, rate;
  int64_t mode;
} record;

static void nothing(void* r, const hilda_tick* now) {
  (void)r;
  (void)now;
}

static void many(void* first, uint64_t stride, uint64_t count, const hilda_tick* now) {
  (void)first;
  (void)stride;
  (void)count;
  (void)now;
}

enum { input, output, gain, state, mode, slot_count };

static const hilda_slot sound_slots[slot_count] = {
    {.size = sizeof(hilda_slot),
     .role = HILDA_INPUT,
     .element = HILDA_F64,
     .name = "u",
     .shape = "",
     .unit = "N",
     .offset = offsetof(record, u)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_OUTPUT,
     .element = HILDA_F64,
     .name = "y",
     .shape = "",
     .unit = "N",
     .offset = offsetof(record, y)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_PARAMETER,
     .element = HILDA_F64,
     .name = "gain",
     .shape = "",
     .unit = "",
     .initial = "1",
     .minimum = -INFINITY,
     .maximum = INFINITY,
     .offset = offsetof(record, gain)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_STATE,
     .element = HILDA_F64,
     .flags = HILDA_CONTINUOUS,
     .name = "x",
     .shape = "",
     .unit = "N s",
     .offset = offsetof(record, x),
     .second_offset = offsetof(record, rate)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_PARAMETER,
     .element = HILDA_CHOICE,
     .name = "kind",
     .choices = "a|b",
     .initial = "a",
     .shape = "",
     .offset = offsetof(record, mode)},
};
static const hilda_block_type sound_type = {
    .size = sizeof(hilda_block_type),
    .name = "Sound",
    .doc = "Nothing is wrong with it.",
    .record_size = sizeof(record),
    .record_align = _Alignof(record),
    .slot_count = slot_count,
    .slot_stride = sizeof(hilda_slot),
    .output = nothing,
    .derivative = nothing,
};
static const hilda_plugin sound_plugin = {
    .size = sizeof(hilda_plugin),
    .abi_major = HILDA_ABI_MAJOR,
    .abi_minor = HILDA_ABI_MINOR,
    .type_stride = sizeof(hilda_block_type),
    .name = "malformed",
    .type_count = 1,
};

static hilda_slot slots[slot_count];
static hilda_block_type types[2];
static hilda_plugin plugin;

static const char* wanted;
static int is_refusing_with_words;
static int is(const char* name) { return strcmp(wanted, name) == 0; }

static int32_t refuse(const hilda_host* host) {
  if (is_refusing_with_words) host->report(host->engine, "it needs a host of next year");
  return 1;
}

static hilda_limit limit = {"y", NULL, "largest"};
static hilda_limits_1 limits = {sizeof(hilda_limits_1), sizeof(hilda_limit), &limit, 1};

static const void* extension(const char* name) { return strcmp(name, "hilda.limits/1") == 0 ? &limits : NULL; }

/* Limits of an output, spoilt. */
static int spoil_limits(void) {
  limit = (hilda_limit){"y", "-gain", "gain"};
  limits.limit_count = 1;
  if (is("limits beyond reason")) return limits.limit_count = UINT64_MAX, 1;
  if (is("limits of an input")) return limit.output = "u", 1;
  if (is("limits of nothing")) return limit.output = NULL, 1;
  if (is("limit that is not a parameter")) return limit.upper = "largest", 1;
  if (is("limit that is a choice")) return limit.upper = "kind", 1;
  if (is("limits on neither side")) return limit.lower = limit.upper = NULL, 1;
  return is("limit in another unit");
}

static double age(const void* it) {
  (void)it;
  return 1;
}
static void recall(void* it, const double* values) {
  (void)it;
  (void)values;
}
static hilda_past_1 past = {sizeof(hilda_past_1), 0, "u", age, recall};

static const void* past_extension(const char* name) { return strcmp(name, "hilda.past/1") == 0 ? &past : NULL; }

/* An input that is remembered, spoilt. */
static int spoil_past(void) {
  if (is("past of nothing")) return past.input = NULL, 1;
  if (is("past of an output")) return past.input = "y", 1;
  if (is("past of whole numbers")) return slots[input].element = HILDA_I64, slots[input].unit = "", 1;
  if (is("past without an age")) return past.age = NULL, 1;
  return 0;
}

static hilda_lanes_1 lanes;
static hilda_slot lane_slots[slot_count];

static const void* lanes_extension(const char* name) { return strcmp(name, "hilda.lanes/1") == 0 ? &lanes : NULL; }

/* A variant for lanes next to the type, spoilt. */
static void spoil_lanes(void) {
  hilda_block_type *const type = &types[0], *const variant = &types[1];
  if (strncmp(wanted, "lanes", 5) != 0) return;
  slots[state].flags = 0;
  if (is("lanes of a live choice")) slots[mode].flags = HILDA_LIVE;
  memcpy(lane_slots, slots, sizeof slots);
  for (int i = 0; i < slot_count; ++i) lane_slots[i].offset *= 2;
  type->derivative = NULL;
  *variant = *type;
  variant->flags = HILDA_VARIANT;
  variant->slots = lane_slots;
  variant->record_size *= 2;
  variant->extension = lanes_extension;
  plugin.type_count = 2;
  lanes = (hilda_lanes_1){sizeof lanes, 2, NULL, many, NULL, NULL};
  if (is("lanes of no variant")) type->extension = lanes_extension;
  if (is("lanes of an odd number")) lanes.width = 3;
  if (is("lanes in half a cell")) variant->record_size += 8;
  if (is("lanes of a device")) variant->acquire = nothing;
  if (is("lanes without the function for one")) lanes.update = many;
  if (is("lanes of two numbers")) lane_slots[input].shape = "2";
  if (is("lanes over one another")) lane_slots[gain].shape = "2";
  if (is("lanes beyond the record")) lane_slots[state].shape = "4";
  if (is("lanes in one another's place")) lane_slots[gain].offset += 8;
}

static void spoil_plugin(void) {
  if (is("attach refuses")) plugin.attach = refuse, is_refusing_with_words = 1;
  if (is("attach refuses in silence")) plugin.attach = refuse;
  if (is("other major")) plugin.abi_major = HILDA_ABI_MAJOR + 1;
  if (is("newer minor")) plugin.abi_minor = HILDA_ABI_MINOR + 1;
  if (is("plugin size")) plugin.size = 8;
  if (is("plugin without a name")) plugin.name = NULL;
  if (is("plugin with a name of nothing")) plugin.name = "";
  if (is("plugin with a path for a name")) plugin.name = "../up";
  if (is("no types")) plugin.types = NULL;
  if (is("type count of 0")) plugin.type_count = 0;
  if (is("type count beyond reason")) plugin.type_count = UINT64_MAX;
  if (is("type stride too small")) plugin.type_stride = 16;
  if (is("type stride odd")) plugin.type_stride = sizeof(hilda_block_type) + 1;
  if (is("type twice")) plugin.type_count = 2;
  if (is("variant first")) types[0].flags = HILDA_VARIANT;
  if (is("variant with other slots")) {
    plugin.type_count = 2;
    types[1].flags = HILDA_VARIANT;
    types[1].slot_count = 3;
  }
}

static void spoil_type(hilda_block_type* type) {
  type->extension = spoil_limits() ? extension : NULL;
  if (spoil_past()) type->extension = past_extension;
  if (is("type size")) type->size = 24;
  if (is("type larger than its stride")) type->size = sizeof *type + 64;
  if (is("type with a fault")) type->fault = "its licence has run out";
  if (is("type with a doc that is not text")) type->doc = "\x1b[31mred";
  if (is("type flags")) type->flags = 1u << 30;
  if (is("type flag of source files")) type->flags = 1u << 7;
  if (is("type without a name")) type->name = NULL;
  if (is("type with spaces in its name")) type->name = "So und";
  if (is("record size")) type->record_size = UINT64_MAX;
  if (is("record alignment")) type->record_align = 3;
  if (is("slots null")) type->slots = NULL;
  if (is("slot count beyond reason")) type->slot_count = UINT32_MAX;
  if (is("slot stride too small")) type->slot_stride = 8;
  if (is("derivative missing")) type->derivative = NULL;
  if (is("output missing")) type->output = NULL;
  if (is("many without one")) type->update_many = many;
  if (is("step without its halves")) type->step_many = many;
}

static void spoil_slots(void) {
  if (is("slot size")) slots[input].size = 12;
  if (is("slot with a doc that is not text")) slots[input].doc = "caf\xe9";
  if (is("slot without a name")) slots[input].name = NULL;
  if (is("slot with spaces in its name")) slots[input].name = "u v";
  if (is("slot twice")) slots[mode].name = "gain";
  if (is("role")) slots[input].role = 77;
  if (is("element")) slots[input].element = 77;
  if (is("kind")) slots[input].kind = 77;
  if (is("unknown flag")) slots[input].flags = 1u << 29;
  if (is("flag of another role")) slots[input].flags = HILDA_CONTINUOUS;
  if (is("offset outside")) slots[output].offset = sizeof(record);
  if (is("offset beyond reason")) slots[output].offset = UINT64_MAX - 7;
  if (is("offset odd")) slots[output].offset = offsetof(record, y) + 1;
  if (is("derivative outside")) slots[state].second_offset = sizeof(record) + 8;
  if (is("overlap")) slots[output].offset = offsetof(record, gain);
  if (is("shape unreadable")) slots[input].shape = "3 by 3";
  if (is("shape below nothing")) slots[output].shape = "1-5";
  if (is("state output without its function")) slots[output].flags = HILDA_STATE_OUTPUT;
  if (is("measurement without its function")) slots[output].flags = HILDA_MEASUREMENT;
  if (is("priming without its function")) slots[input].flags = HILDA_PRIMES;
  if (is("shape beyond reason")) slots[output].shape = "100000 100000";
  if (is("shape of the diagram in a fixed slot")) slots[input].shape = "n";
  if (is("unit unreadable")) slots[input].unit = "furlong per moon";
  if (is("unit not SI")) slots[output].unit = "mm";
  if (is("choices null")) slots[mode].choices = NULL;
  if (is("default no choice")) slots[mode].initial = "c";
  if (is("range empty")) slots[gain].minimum = 2, slots[gain].maximum = 1;
  if (is("reserved name")) slots[gain].name = "sample_time";
  if (is("text as a signal")) slots[input].element = HILDA_TEXT;
}

HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void);
HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void) {
  const char* asked = getenv("HILDA_MALFORMED");
  wanted = asked != NULL ? asked : "";
  memcpy(slots, sound_slots, sizeof slots);
  types[0] = sound_type;
  types[0].slots = slots;
  plugin = sound_plugin;
  is_refusing_with_words = 0;
  plugin.types = types;
  spoil_type(&types[0]);
  types[1] = types[0];
  spoil_slots();
  spoil_lanes();
  spoil_plugin();
  return &plugin;
}
