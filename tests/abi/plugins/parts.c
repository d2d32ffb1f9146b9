/* SPDX-License-Identifier: BSD-3-Clause */
/* Ports with named parts in plain C: ports whose names begin alike up to a dot. */
#include <hilda/abi.h>
#include <math.h>

/* What moves: its state travels as one wire. */
typedef struct mover {
  double position, velocity; /* outputs */
  double load;               /* output */
  double speed, given_load;  /* parameters */
  double x;                  /* state */
} mover;

static void mover_state_output(void* record, const hilda_tick* now) {
  mover* block = record;
  (void)now;
  block->position = block->x;
  block->velocity = block->speed;
  block->load = block->given_load;
}

static void mover_update(void* record, const hilda_tick* now) {
  mover* block = record;
  block->x += now->period * block->speed;
}

/* What looks ahead: it takes such a state. */
typedef struct looker {
  const double *position, *velocity, *load; /* inputs */
  double y, held;                           /* outputs */
} looker;

static void looker_output(void* record, const hilda_tick* now) {
  looker* block = record;
  block->y = *block->position + (block->velocity != NULL ? now->period * *block->velocity : 0);
  block->held = block->load != NULL ? *block->load : 0;
}

#define SLOT(role_, flags_, record_, member_, name_, unit_, doc_)                                                      \
  {                                                                                                                    \
    .size = sizeof(hilda_slot), .role = role_, .element = HILDA_F64, .flags = flags_, .name = name_, .shape = "",      \
    .unit = unit_, .doc = doc_, .initial = (role_) == HILDA_PARAMETER ? "1" : NULL, .minimum = -INFINITY,              \
    .maximum = INFINITY, .offset = offsetof(record_, member_)                                                          \
  }
#define GIVEN(member_, name_, unit_) SLOT(HILDA_OUTPUT, HILDA_STATE_OUTPUT, mover, member_, name_, unit_, "Given")
#define TAKEN(member_, name_, unit_) SLOT(HILDA_INPUT, 0, looker, member_, name_, unit_, "Taken")
#define AHEAD(unit_) SLOT(HILDA_OUTPUT, 0, looker, y, "y", unit_, "Where it will be a sample later")
#define SPEED(unit_) SLOT(HILDA_PARAMETER, 0, mover, speed, "speed", unit_, "How fast it moves")
#define MOVED(unit_) SLOT(HILDA_STATE, 0, mover, x, "x", unit_, "Where it is")

static const hilda_slot cart_slots[] = {GIVEN(position, "state.position", "m"),
                                        GIVEN(velocity, "state.velocity", "m/s"), SPEED("m/s"), MOVED("m")};
static const hilda_slot wheel_slots[] = {GIVEN(position, "state.position", "rad"),
                                         GIVEN(velocity, "state.velocity", "rad/s"), SPEED("rad/s"), MOVED("rad")};
static const hilda_slot sledge_slots[] = {GIVEN(position, "state.position", "m"), SPEED("m/s"), MOVED("m")};
/* A port with parts may be a part. */
static const hilda_slot robot_slots[] = {GIVEN(position, "arm.state.position", "m"),
                                         GIVEN(velocity, "arm.state.velocity", "m/s"),
                                         GIVEN(load, "arm.load", "N"),
                                         SPEED("m/s"),
                                         SLOT(HILDA_PARAMETER, 0, mover, given_load, "load", "N", "What it carries"),
                                         MOVED("m")};

static const hilda_slot follower_slots[] = {TAKEN(position, "state.position", "m"),
                                            TAKEN(velocity, "state.velocity", "m/s"), AHEAD("m")};
static const hilda_slot marker_slots[] = {TAKEN(position, "state.position", "m"), AHEAD("m")};
static const hilda_slot eased_slots[] = {
    TAKEN(position, "state.position", "m"),
    SLOT(HILDA_INPUT, HILDA_OPTIONAL, looker, velocity, "state.velocity", "m/s", "Taken"), AHEAD("m")};
static const hilda_slot gripper_slots[] = {
    TAKEN(position, "arm.state.position", "m"), TAKEN(velocity, "arm.state.velocity", "m/s"),
    TAKEN(load, "arm.load", "N"), AHEAD("m"), SLOT(HILDA_OUTPUT, 0, looker, held, "held", "N", "What the arm carries")};

#define SLOTS(table_) .slots = table_, .slot_count = sizeof table_ / sizeof *table_, .slot_stride = sizeof *table_
#define MOVER(name_, table_)                                                                                           \
  {                                                                                                                    \
    .size = sizeof(hilda_block_type), .name = name_, .doc = "Moves at a constant speed.",                              \
    .record_size = sizeof(mover), .record_align = _Alignof(mover), SLOTS(table_), .state_output = mover_state_output,  \
    .update = mover_update                                                                                             \
  }
#define LOOKER(name_, table_)                                                                                          \
  {                                                                                                                    \
    .size = sizeof(hilda_block_type), .name = name_, .doc = "Looks a sample ahead.", .record_size = sizeof(looker),    \
    .record_align = _Alignof(looker), SLOTS(table_), .output = looker_output                                           \
  }

static const hilda_block_type types[] = {
    MOVER("Cart", cart_slots),
    MOVER("Wheel", wheel_slots),
    MOVER("Sledge", sledge_slots),
    MOVER("Robot", robot_slots),
    LOOKER("Follower", follower_slots),
    LOOKER("Marker", marker_slots),
    LOOKER("EasedFollower", eased_slots),
    LOOKER("Gripper", gripper_slots),
};

/* The oldest minor version knows ports with parts. */
static const hilda_plugin plugin = {
    .size = sizeof(hilda_plugin),
    .abi_major = HILDA_ABI_MAJOR,
    .abi_minor = 0,
    .type_stride = sizeof *types,
    .name = "parts",
    .version = "1.0",
    .built = "C",
    .types = types,
    .type_count = sizeof types / sizeof *types,
};

HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void) { return &plugin; }
