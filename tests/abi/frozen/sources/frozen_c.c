/* What binaries of this release must keep doing: blocks in plain C that between them use every role, every storage and
 * every optional ability of the boundary. This file is not changed any more: a new ability gets a new file. */
#include <hilda/abi.h>
#include <math.h>
#include <string.h>

#define SLOT(role_, element_, type_, member_, flags_, shape_, unit_, ...)                                              \
  {                                                                                                                    \
    .size = sizeof(hilda_slot), .role = role_, .element = element_, .flags = flags_, .name = #member_,                 \
    .shape = shape_, .unit = unit_, .doc = "Frozen", .minimum = -INFINITY, .maximum = INFINITY,                        \
    .offset = offsetof(type_, member_), __VA_ARGS__                                                                    \
  }
#define BLOCK(type_, name_, flags_, slots_, ...)                                                                       \
  {                                                                                                                    \
    .size = sizeof(hilda_block_type), .flags = flags_, .name = name_, .doc = "Frozen.", .record_size = sizeof(type_),  \
    .record_align = _Alignof(type_), .slots = slots_, .slot_count = sizeof slots_ / sizeof *slots_,                    \
    .slot_stride = sizeof *slots_, __VA_ARGS__                                                                         \
  }

/* A mass on a spring: a continuous state of two numbers, a crossing, stored energy. */
typedef struct oscillator {
  const double* force;
  double position, x[2], dot[2], mass, stiffness, start;
} oscillator;
static void oscillator_initialize(void* record, const hilda_instance* self) {
  (void)self;
  ((oscillator*)record)->x[0] = ((oscillator*)record)->start;
}
static void oscillator_state_output(void* record, const hilda_tick* now) {
  (void)now;
  ((oscillator*)record)->position = ((oscillator*)record)->x[0];
}
static void oscillator_derivative(void* record, const hilda_tick* now) {
  oscillator* b = record;
  (void)now;
  b->dot[0] = b->x[1];
  b->dot[1] = (*b->force - b->stiffness * b->x[0]) / b->mass;
}
static double oscillator_stored(const void* record) {
  const oscillator* b = record;
  return 0.5 * b->mass * b->x[1] * b->x[1] + 0.5 * b->stiffness * b->x[0] * b->x[0];
}
static const void* oscillator_extension(const char* name) {
  static const hilda_energy_1 energy = {sizeof energy, 0, oscillator_stored};
  return strcmp(name, "hilda.energy/1") == 0 ? &energy : NULL;
}
static const hilda_slot oscillator_slots[] = {
    SLOT(HILDA_INPUT, HILDA_F64, oscillator, force, HILDA_IN_UPDATE, "", "N", .initial = NULL),
    SLOT(HILDA_OUTPUT, HILDA_F64, oscillator, position, HILDA_STATE_OUTPUT | HILDA_CROSSING, "", "m", .initial = NULL),
    SLOT(HILDA_STATE, HILDA_F64, oscillator, x, HILDA_CONTINUOUS, "2", "1", .second_offset = offsetof(oscillator, dot)),
    SLOT(HILDA_PARAMETER, HILDA_F64, oscillator, mass, HILDA_ABOVE | HILDA_LIVE, "", "kg", .initial = "2 kg"),
    SLOT(HILDA_PARAMETER, HILDA_F64, oscillator, start, 0, "", "m", .initial = "0.5 m"),
    SLOT(HILDA_PARAMETER, HILDA_F64, oscillator, stiffness, HILDA_ABOVE, "", "N/m", .initial = "0.3 N/mm")};

/* A dead time: a ring, a priming input, feedthrough that depends on a parameter, an integer parameter. */
typedef struct line {
  hilda_view u;
  hilda_array y;
  hilda_ring ring;
  int64_t ticks;
} line;
static int32_t line_feeds_through(const void* record, const hilda_instance* self) {
  (void)self;
  return ((const line*)record)->ticks == 0;
}
static int32_t line_configure(void* record, const hilda_instance* self) {
  line* b = record;
  if (b->ticks < 0 || b->ticks > 1000) {
    self->report(self->engine, "ticks", "must lie between 0 and 1000");
    return 1;
  }
  b->ring.capacity = b->ticks;
  return 0;
}
static double* entry(line* b, int64_t index) {
  return (double*)b->ring.data + (b->ring.head + index) % b->ring.capacity * b->u.rows * b->u.cols;
}
static void line_prime(void* record, const hilda_tick* now) {
  line* b = record;
  (void)now;
  for (int64_t i = 0; i < b->ring.capacity; ++i)
    memcpy(entry(b, i), b->u.data, sizeof(double) * (size_t)(b->u.rows * b->u.cols));
}
static void line_output(void* record, const hilda_tick* now) {
  line* b = record;
  (void)now;
  memcpy(b->y.data, b->ticks == 0 ? b->u.data : entry(b, 0), sizeof(double) * (size_t)(b->y.rows * b->y.cols));
}
static void line_update(void* record, const hilda_tick* now) {
  line* b = record;
  (void)now;
  if (b->ticks == 0) return;
  memcpy(entry(b, 0), b->u.data, sizeof(double) * (size_t)(b->u.rows * b->u.cols));
  b->ring.head = (b->ring.head + 1) % b->ring.capacity;
}
static const hilda_slot line_slots[] = {
    SLOT(HILDA_INPUT, HILDA_F64, line, u, HILDA_BOUND | HILDA_CONDITIONAL | HILDA_PRIMES, "*s", "@u", .initial = NULL),
    SLOT(HILDA_OUTPUT, HILDA_F64, line, y, HILDA_BOUND | HILDA_CONDITIONAL, "*s", "@u", .initial = NULL),
    SLOT(HILDA_STATE, HILDA_F64, line, ring, HILDA_RING, "*s", "@u", .initial = NULL),
    SLOT(HILDA_PARAMETER, HILDA_I64, line, ticks, 0, "", NULL, .initial = "3")};

/* Sums what comes in and hands it out: repeated ports, a choice, a text, an optional input, a work slot. */
typedef struct fan {
  hilda_views in;
  hilda_arrays out;
  const double* offset;
  int64_t rule, copies;
  const char* label;
  double sum;
} fan;
static void fan_output(void* record, const hilda_tick* now) {
  fan* b = record;
  (void)now;
  b->sum = b->offset != NULL ? *b->offset : 0;
  for (uint64_t i = 0; i < b->in.count; ++i) {
    const double u = *(const double*)b->in.items[i].data;
    b->sum = b->rule == 0 ? b->sum + u : b->sum * u;
  }
  for (uint64_t i = 0; i < b->out.count; ++i)
    *(double*)b->out.items[i].data = b->sum * (double)(i + 1) + (double)strlen(b->label);
}
static const hilda_slot fan_slots[] = {
    SLOT(HILDA_INPUT, HILDA_F64, fan, in, HILDA_BOUND | HILDA_REPEATED, "", "@u", .initial = NULL),
    SLOT(HILDA_OUTPUT, HILDA_F64, fan, out, HILDA_BOUND | HILDA_REPEATED, "", "@u", .count = "copies"),
    SLOT(HILDA_INPUT, HILDA_F64, fan, offset, HILDA_OPTIONAL, "", "@u", .initial = NULL),
    SLOT(HILDA_PARAMETER, HILDA_CHOICE, fan, rule, 0, "", NULL, .initial = "sum", .choices = "sum|product"),
    SLOT(HILDA_PARAMETER, HILDA_I64, fan, copies, 0, "", NULL, .initial = "2"),
    SLOT(HILDA_PARAMETER, HILDA_TEXT, fan, label, 0, "", NULL, .initial = "ab"),
    SLOT(HILDA_WORK, HILDA_F64, fan, sum, 0, "", "1", .initial = NULL)};

/* State of its own, as bytes, and something to say after the run; booleans and random bits. */
typedef struct outside {
  const uint8_t* go;
  uint8_t odd;
  double y;
  uint64_t random;
  int64_t count; /* no slot: saved by the extension */
} outside;
static void outside_initialize(void* record, const hilda_instance* self) {
  outside* b = record;
  b->random = self->seed | 1;
  b->count = 1;
}
static void outside_state_output(void* record, const hilda_tick* now) {
  outside* b = record;
  (void)now;
  b->odd = (uint8_t)(b->count & 1);
  b->y = (double)(b->random >> 40);
}
static void outside_update(void* record, const hilda_tick* now) {
  outside* b = record;
  (void)now;
  if (*b->go) ++b->count;
  b->random = b->random * 6364136223846793005u + 1442695040888963407u;
}
static uint64_t outside_save(const void* record, void* data, uint64_t capacity) {
  const outside* b = record;
  if (data != NULL && capacity >= sizeof b->count) memcpy(data, &b->count, sizeof b->count);
  return sizeof b->count;
}
static int32_t outside_load(void* record, const void* data, uint64_t bytes) {
  outside* b = record;
  if (bytes != sizeof b->count) return 1;
  memcpy(&b->count, data, sizeof b->count);
  return 0;
}
static void outside_summarize(const void* record, const hilda_summary_sink* sink) {
  sink->number(sink->engine, "frozen.count", (double)((const outside*)record)->count, "1");
}
static const void* outside_extension(const char* name) {
  static const hilda_state_1 state = {sizeof state, 0, outside_save, outside_load};
  static const hilda_summary_1 summary = {sizeof summary, 0, outside_summarize};
  if (strcmp(name, "hilda.state/1") == 0) return &state;
  return strcmp(name, "hilda.summary/1") == 0 ? &summary : NULL;
}
static const hilda_slot outside_slots[] = {
    SLOT(HILDA_INPUT, HILDA_U8, outside, go, HILDA_IN_UPDATE, "", NULL, .initial = NULL),
    SLOT(HILDA_OUTPUT, HILDA_U8, outside, odd, HILDA_STATE_OUTPUT, "", NULL, .initial = NULL),
    SLOT(HILDA_OUTPUT, HILDA_F64, outside, y, HILDA_STATE_OUTPUT, "", "1", .initial = NULL),
    SLOT(HILDA_STATE, HILDA_U64, outside, random, HILDA_RNG, "", NULL, .initial = NULL)};

/* A device that answers with what was sent to it a tick ago: start, stop, acquire, emit, actuation, clock. */
typedef struct device {
  const double* command;
  double measured, last, rest;
  int32_t connected;
} device;
static int32_t device_start(void* record, const hilda_instance* self) {
  device* b = record;
  (void)self;
  b->last = b->rest;
  b->connected = 1;
  return 0;
}
static void device_stop(void* record) { ((device*)record)->connected = 0; }
static void device_acquire(void* record, const hilda_tick* now) {
  device* b = record;
  (void)now;
  b->measured = b->connected ? b->last : NAN;
}
static void device_emit(void* record, const hilda_tick* now) {
  (void)now;
  ((device*)record)->last = *((device*)record)->command;
}
static double device_period(const void* record) {
  (void)record;
  return 0;
}
static int32_t device_wait(void* record, int64_t deadline, hilda_cycle* cycle) {
  (void)record, (void)deadline, (void)cycle;
  return HILDA_CYCLE_LATE;
}
static int32_t device_rest(const void* record, const char* input, double* value) {
  if (strcmp(input, "command") != 0) return 1;
  *value = ((const device*)record)->rest;
  return 0;
}
static const void* device_extension(const char* name) {
  static const hilda_clock_1 clock = {sizeof clock, 0, device_period, device_wait};
  static const hilda_actuation_1 actuation = {sizeof actuation, 0, device_rest};
  if (strcmp(name, "hilda.clock/1") == 0) return &clock;
  return strcmp(name, "hilda.actuation/1") == 0 ? &actuation : NULL;
}
static const hilda_slot device_slots[] = {
    SLOT(HILDA_INPUT, HILDA_F64, device, command, HILDA_IN_UPDATE | HILDA_ACTUATION, "", "m", .initial = NULL),
    SLOT(HILDA_OUTPUT, HILDA_F64, device, measured, HILDA_MEASUREMENT, "", "m", .initial = NULL),
    SLOT(HILDA_PARAMETER, HILDA_F64, device, rest, 0, "", "m", .initial = "10 mm")};

static const hilda_block_type types[] = {
    BLOCK(oscillator, "Oscillator", 0, oscillator_slots, .initialize = oscillator_initialize,
          .state_output = oscillator_state_output, .derivative = oscillator_derivative,
          .extension = oscillator_extension),
    BLOCK(line, "Line", 0, line_slots, .feeds_through = line_feeds_through, .configure = line_configure,
          .prime = line_prime, .state_output = line_output, .output = line_output, .update = line_update),
    BLOCK(fan, "Fan", 0, fan_slots, .output = fan_output),
    BLOCK(outside, "Outside", HILDA_EXTERNAL_STATE | HILDA_SINK, outside_slots, .initialize = outside_initialize,
          .state_output = outside_state_output, .update = outside_update, .extension = outside_extension),
    BLOCK(device, "Device", 0, device_slots, .start = device_start, .stop = device_stop, .acquire = device_acquire,
          .emit = device_emit, .extension = device_extension)};

static const hilda_plugin plugin = {.size = sizeof(hilda_plugin),
                                    .abi_major = 1,
                                    .abi_minor = 0,
                                    .type_stride = sizeof *types,
                                    .name = "frozen_c",
                                    .version = "1",
                                    .built = "C",
                                    .types = types,
                                    .type_count = sizeof types / sizeof *types};
HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void);
HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void) { return &plugin; }
