/* SPDX-License-Identifier: BSD-3-Clause */
/* The stable binary boundary between hilda and a plugin: plain C, no library types, no exceptions.
 *
 * A plugin is a shared library that exports one function, `hilda_plugin_entry`. It returns a table of block types; a
 * block type is a table of slots (ports, parameters, states) and of functions. Everything a plugin needs is passed to
 * its functions; it never calls functions of the program by name.
 *
 * Lifetimes: the tables and all their strings live as long as the library is loaded. The engine copies what it shows.
 * Threads: the functions of one record are never called by two threads at once. Two records of one type may be, so a
 * plugin has no mutable globals. Functions marked [loop] run in the control loop: they must not allocate, lock, wait,
 * throw or make system calls. The others run before the first tick or after the last and may do anything.
 *
 * Compatibility: structs grow at their end only; the `size` member is the size of the struct that the writer knew;
 * tables carry their stride. Unknown flags are refused by name. See docs/abi.md. */
#ifndef HILDA_ABI_H
#define HILDA_ABI_H

#include <hilda/devices.h>
#include <stddef.h>
#include <stdint.h>

/* With these options a NaN, an infinity or the sign of a zero is not what it is anywhere else, and the order of a sum
 * is the compiler's: a block would compute other bits than its source says. */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) ||                         \
    defined(__NO_SIGNED_ZEROS__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ + 0 == 1)
#error "hilda: blocks are not built with -ffast-math, -Ofast or a part of them (see docs/abi.md): remove that option"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define HILDA_ABI_MAJOR 1u
#define HILDA_ABI_MINOR 1u

/* What a slot is. */
enum hilda_role {
  HILDA_INPUT = 1,     /* bound by the engine; read in the phases that the flags allow */
  HILDA_OUTPUT = 2,    /* written by state_output or output, held in between */
  HILDA_PARAMETER = 3, /* written by the engine before configure, and between ticks where live */
  HILDA_STATE = 4,     /* part of a checkpoint; written by initialize, prime, update, project (and the solver) */
  HILDA_WORK = 5       /* memory without meaning between two calls; not part of a checkpoint */
};

/* What an element of a slot is. The last three are for parameters alone. */
enum hilda_element {
  HILDA_F64 = 1,
  HILDA_I64 = 2,
  HILDA_U64 = 3,
  HILDA_U8 = 4,    /* a boolean: 0 or 1 */
  HILDA_TEXT = 5,  /* const char*, UTF-8, engine-owned */
  HILDA_PATH = 6,  /* const char*, an absolute path inside the search roots, engine-owned */
  HILDA_CHOICE = 7 /* int64_t: index into the slot's `choices` */
};

/* Named shapes: they fix shape and unit of a slot. Orders and frames are those of docs/conventions.md. */
enum hilda_kind {
  HILDA_PLAIN = 0,
  HILDA_WRENCH = 1,    /* 6: force x y z (world axes), torque x y z (body axes, about the body's origin) */
  HILDA_TWIST = 2,     /* 6: velocity x y z (world axes), angular velocity x y z (body axes) */
  HILDA_POSE = 3,      /* 7: position x y z (world), quaternion w x y z (body to world) */
  HILDA_QUATERNION = 4 /* 4: w x y z; as a state it is normalised by `project` and linearised in tangent coordinates */
};

enum hilda_slot_flags {
  HILDA_OPTIONAL = 1u << 0,     /* input: may stay undriven (its pointer is then null) */
  HILDA_IN_UPDATE = 1u << 1,    /* input: read in update, emit and derivative only; never feeds through */
  HILDA_CONDITIONAL = 1u << 2,  /* input or output: feeds through only where feeds_through() says so */
  HILDA_PRIMES = 1u << 3,       /* input: read by prime at tick 0 and after a reset, before the block's outputs */
  HILDA_STATE_OUTPUT = 1u << 4, /* output: depends on state and time alone; computed by state_output */
  HILDA_ACTUATION = 1u << 5,    /* input: moves something; the safety stage is before it */
  HILDA_CROSSING = 1u << 6,     /* scalar output: the solver locates its sign changes within a step. Since 1.1 also work
                                 * of real numbers: written where hilda_tick::located says so, and at second_offset
                                 * is, in the same form, the side of zero that each element is on (-1, 0, 1) */
  HILDA_CONTINUOUS = 1u << 7,   /* state: carried by the solver; its derivative lies at second_offset */
  HILDA_RING = 1u << 8,         /* state: a hilda_ring at offset */
  HILDA_RNG = 1u << 9,          /* state: of a random generator; held fixed by linearisation */
  HILDA_BOUND = 1u << 10,       /* a hilda_view (input) or hilda_array at offset, not the elements themselves */
  HILDA_REPEATED = 1u << 11,    /* a port given as often as it is wired: name[0], name[1]...; implies HILDA_BOUND */
  HILDA_ROTATIONAL = 1u << 12,  /* N m, kg m2 and the like are about an axis: the missing powers of rad are added */
  HILDA_LIVE = 1u << 13,        /* parameter: may change between two ticks */
  HILDA_RECONFIGURE = 1u << 14, /* parameter: may change while the loop is paused */
  HILDA_ABOVE = 1u << 15,       /* parameter: `minimum` itself is not allowed */
  HILDA_BELOW = 1u << 16,       /* parameter: `maximum` itself is not allowed */
  HILDA_MEASUREMENT = 1u << 17, /* output written by acquire: comes from outside and is recorded losslessly */
  HILDA_UNRECORDED = 1u << 18,  /* output: left out of the log unless asked for (large matrices) */
  HILDA_EXPECTED = 1u << 19,    /* optional input without which the block does something else: noted where it is open */
  HILDA_MODE = 1u << 21,        /* state, since 1.1: a mode, written by initialize and event, and by update at a tick; a
                                 * block without other states is not sampled by it; linearisation holds it fixed */
  HILDA_EXPRESSION = 1u << 20   /* text parameter: an expression. What `${}` brings is a constant in it: the text is as
                                 * the diagram has it, each `${...}` a name of the same length made of letters, digits
                                 * and "${}_"; behind it are the constants, each as "\x1f" name "=" number, in SI */
};

/* One port, parameter or state.
 *
 * Storage at `offset` in the record:
 *   fixed input        const T*                  null where undriven
 *   bound input        hilda_view                data null where undriven
 *   repeated input     hilda_views
 *   fixed, others      the elements, column by column
 *   bound, others      hilda_array
 *   repeated output    hilda_arrays
 *   ring               hilda_ring
 * Fixed slots need a shape made of numbers alone. */
typedef struct hilda_slot {
  uint32_t size; /* sizeof(hilda_slot) as the plugin knew it */
  uint32_t role;
  uint32_t element;
  uint32_t kind;
  uint32_t flags;
  uint32_t reserved;
  const char* name;
  const char* shape;   /* "" scalar, "3", "n", "m n", "2*n+1", "*s" (any shape), "sum(n)"; names of integer parameters
                          are dimensions too; null where kind fixes it */
  const char* unit;    /* "N", "N/m", "@u", "@u*s", "@y/@u"; null or "" dimensionless; `@name` is a variable */
  const char* doc;     /* one sentence, with frame and source where it has them */
  const char* initial; /* parameter: default as text; null: must be given */
  const char* choices; /* HILDA_CHOICE: "paper|work"; output of HILDA_I64: names of its values from 0 on, or null */
  const char* count;   /* repeated: "name" of an integer parameter, "len(name)" of a text one; null: as wired */
  double minimum;      /* parameter, in the declared unit; -inf where free */
  double maximum;      /* +inf where free */
  uint64_t offset;
  uint64_t
      second_offset; /* continuous state: where the derivative lies, in the same form; crossing that is work: sides */
} hilda_slot;

/* Vectors are columns; a scalar is 1 by 1. */
typedef struct hilda_view {
  const void* data;
  int32_t rows, cols;
} hilda_view;
typedef struct hilda_array {
  void* data;
  int32_t rows, cols;
} hilda_array;
typedef struct hilda_views {
  const hilda_view* items;
  uint64_t count;
} hilda_views;
typedef struct hilda_arrays {
  const hilda_array* items;
  uint64_t count;
} hilda_arrays;
/* `capacity` entries of rows x cols, written by configure; data and a zeroed content follow from the engine. `head` is
 * the entry written next, so also the oldest. */
typedef struct hilda_ring {
  void* data;
  int64_t head;
  int64_t capacity;
  int32_t rows, cols;
} hilda_ring;

/* How a block ends the run from inside the loop: the first one to write wins. */
enum hilda_verdict { HILDA_GO = 0, HILDA_STOP = 1, HILDA_FAIL = 2 };
typedef struct hilda_control {
  uint32_t size;
  int32_t verdict;
  const void* record; /* who */
  const char* text;   /* lives as long as the library, or in the record */
  double value;       /* printed after the text; NaN: nothing to print */
} hilda_control;

/* The present tick of a block. Time is exact: time = index * period, from integers. */
typedef struct hilda_tick {
  uint32_t size;
  uint32_t minor; /* 1 at a solver's minor step: time may lie between two ticks */
  int64_t index;  /* how many of the block's own sample times have passed */
  double time;    /* s since tick 0 */
  double period;  /* s, the block's sample time; the base period where it is continuous */
  hilda_control* control;
  /* Since 1.1, where `size` reaches this far. 1 at a minor step whose crossings are located. A block with crossings
   * in work slots then writes them, and computes by their stored sides and not by its inputs, so that a step is smooth.
   * The part of a step beyond a crossing is discarded. */
  uint32_t located;
  uint32_t reserved;
} hilda_tick;

/* Since 1.1: a crossing of a block that has changed its sign. */
typedef struct hilda_fired {
  const double* crossing; /* the element that has: an output, or work */
  int32_t direction;      /* 1: it has become positive, -1: negative */
  uint32_t reserved;
} hilda_fired;

/* What a record learns about itself before the first tick. */
typedef struct hilda_instance {
  uint32_t size;
  uint32_t continuous; /* 1: runs at every base tick and at minor steps */
  const char* path;    /* "rig.sensor" */
  double period;       /* s, sample time */
  uint64_t seed;       /* from the block's path alone: mix it with a seed parameter */
  /* Reports what is wrong; `slot` names the parameter or port at fault or is null. The text is copied. In feeds_through
   * and, since 1.1, in prepare and initialize a report is a refusal: before the first tick a diagnostic, in the loop (a
   * reset, a live parameter) a failed run. prime refuses as the other loop functions do, by hilda_tick::control. */
  void (*report)(void* engine, const char* slot, const char* text);
  void* engine;
  int32_t simulated; /* 1 in simulation and replay, 0 on hardware */
  /* Since 1.1, where `size` reaches this far. A remark for the user that is not a reason to refuse. */
  void (*warn)(void* engine, const char* slot, const char* text);
} hilda_instance;

/* For shapes that depend on a file: give a value to a dimension named in the slots' shapes. */
typedef struct hilda_inference {
  uint32_t size;
  uint32_t reserved;
  void* engine;
  void (*dimension)(void* engine, const char* name, int64_t value);
  /* gives a shape to item `index` of a repeated port */
  void (*item_shape)(void* engine, const char* slot, uint64_t index, int64_t rows, int64_t cols);
} hilda_inference;

enum hilda_type_flags {
  HILDA_REALTIME_UNSAFE = 1u << 0, /* its loop functions may allocate or wait: simulation only */
  HILDA_EXTERNAL_STATE = 1u << 1,  /* state lives elsewhere: asks for extension "hilda.state/1" to be checkpointed */
  HILDA_VARIANT = 1u << 2,         /* the same block as the one of this name before it, for the shapes its slots fix */
  HILDA_SINK = 1u << 3             /* must not be optimised away and is tested for NaN at its inputs */
};

/* A block type. Null functions are phases that it does not have; they cost nothing.
 * `first` and `stride` of a *_many function name `count` records of this very type that lie evenly spaced. */
typedef struct hilda_block_type {
  uint32_t size; /* sizeof(hilda_block_type) as the plugin knew it */
  uint32_t flags;
  const char* name; /* "PhaseLead"; the plugin's name comes before it: "contact/PhaseLead" */
  const char* doc;  /* first sentence: what it does; then equations and source */
  uint64_t record_size, record_align;
  const hilda_slot* slots;
  uint32_t slot_count;
  uint32_t slot_stride;

  /* Makes a record in zeroed engine memory; pure. Null: zeroes are a valid record. */
  void (*construct)(void* record);
  void (*destroy)(void* record);

  /* Parameters are set, nothing else is. Does the block feed through its conditional slots? Null: yes. */
  int32_t (*feeds_through)(const void* record, const hilda_instance* self);
  /* Parameters are set. Returns 0, or non-zero after a report. */
  int32_t (*infer)(void* record, const hilda_instance* self, const hilda_inference* inference);
  /* All shapes are known. May allocate, read files, set ring capacities; never touches a device. */
  int32_t (*configure)(void* record, const hilda_instance* self);
  /* [loop] Recomputes what follows from parameters alone. After configure and after every change. */
  void (*prepare)(void* record, const hilda_instance* self);
  /* [loop] Sets the state (zeroed before) to its initial value. Before tick 0 and at every reset. */
  void (*initialize)(void* record, const hilda_instance* self);
  /* Connects; may block for a limited time. Returns 0, or non-zero after a report. */
  int32_t (*start)(void* record, const hilda_instance* self);
  /* Disconnects. Called once for every start that succeeded, whatever came in between. */
  void (*stop)(void* record);

  /* [loop] all of these */
  void (*prime)(void* record, const hilda_tick* now);
  void (*acquire)(void* record, const hilda_tick* now);
  void (*state_output)(void* record, const hilda_tick* now);
  void (*output)(void* record, const hilda_tick* now);
  void (*emit)(void* record, const hilda_tick* now);
  void (*update)(void* record, const hilda_tick* now);
  void (*derivative)(void* record, const hilda_tick* now);
  void (*project)(void* record, const hilda_tick* now);
  void (*state_output_many)(void* first, uint64_t stride, uint64_t count, const hilda_tick* now);
  void (*output_many)(void* first, uint64_t stride, uint64_t count, const hilda_tick* now);
  void (*update_many)(void* first, uint64_t stride, uint64_t count, const hilda_tick* now);
  /* output and then update of each record, where the plan allows both at once */
  void (*step_many)(void* first, uint64_t stride, uint64_t count, const hilda_tick* now);
  void (*derivative_many)(void* first, uint64_t stride, uint64_t count, const hilda_tick* now);

  /* Optional abilities by name, or null: "hilda.summary/1", "hilda.energy/1", "hilda.state/1", and those of devices.h:
   * "hilda.clock/1", "hilda.actuation/1". */
  const void* (*extension)(const char* name);

  /* Since 1.1, where `size` reaches this far. Why this type cannot be used, or null. The type is then refused with
   * this text, and only its name and its flags are read. The other types of the plugin are kept. */
  const char* fault;

  /* [loop] Since 1.1, where `size` reaches this far. Where crossings are located: some of this block have changed their
   * signs, between two ticks. Inputs and outputs are those of that time. It may write states, continuous ones too.
   * `count` is 0 where steps restart, at the first tick too: the block takes its modes, discrete states that it
   * holds from event to event, from what is there; its crossings have no side yet. */
  void (*event)(void* record, const hilda_tick* now, const hilda_fired* fired, uint64_t count);
} hilda_block_type;

/* "hilda.summary/1": what a block reports after the run. Called after stop, never in the loop. A key with a dot
 * goes into a nested object; the rows of a table become a list of objects. */
typedef struct hilda_summary_sink {
  uint32_t size;
  uint32_t reserved;
  void* engine;
  void (*number)(void* engine, const char* key, double value, const char* unit);
  void (*text)(void* engine, const char* key, const char* value);
  /* starts a row of the table `key`; the numbers and texts up to end_row are its columns */
  void (*begin_row)(void* engine, const char* key);
  void (*end_row)(void* engine);
} hilda_summary_sink;
typedef struct hilda_summary_1 {
  uint32_t size;
  uint32_t reserved;
  void (*summarize)(const void* record, const hilda_summary_sink* sink);
} hilda_summary_1;

/* "hilda.energy/1": [loop] the energy that the block stores now, J. Called when all outputs of a tick are computed and
 * before any update, with inputs bound: state and inputs are those of the tick. */
typedef struct hilda_energy_1 {
  uint32_t size;
  uint32_t reserved;
  double (*stored)(const void* record);
} hilda_energy_1;

/* "hilda.state/1": external state, as bytes. `save` with null data returns the size it needs. */
typedef struct hilda_state_1 {
  uint32_t size;
  uint32_t reserved;
  uint64_t (*save)(const void* record, void* data, uint64_t capacity);
  int32_t (*load)(void* record, const void* data, uint64_t bytes);
} hilda_state_1;

/* Since 1.1: the program that loads the plugin. It lives as long as the library is loaded. */
typedef struct hilda_host {
  uint32_t size;
  uint32_t abi_major, abi_minor; /* what the program knows of this boundary */
  uint32_t reserved;
  const char* name;    /* "hilda" */
  const char* version; /* "0.1.0" */
  void* engine;
  /* While attach runs: reports a warning, or why attach refuses. The texts are copied. */
  void (*warn)(void* engine, const char* text);
  void (*report)(void* engine, const char* text);
  /* Abilities of the program by name, or null: none yet. */
  const void* (*extension)(void* engine, const char* name);
} hilda_host;

/* A plugin. */
typedef struct hilda_plugin {
  uint32_t size;
  uint32_t abi_major, abi_minor;
  uint32_t type_stride;
  const char* name;    /* "contact"; the prefix of its blocks */
  const char* version; /* free text */
  const char* built;   /* compiler and flags that matter, free text */
  const hilda_block_type* types;
  uint64_t type_count;
  /* Since 1.1, where `size` reaches this far; or null. Called once, after the table is read and before any other
   * function of the plugin, on the thread that loads. Non-zero, after a report: the plugin cannot be used with
   * this program and is refused. */
  int32_t (*attach)(const hilda_host* host);
} hilda_plugin;

/* The one exported symbol. Called once, right after loading, on the thread that loads. Null: refused. */
typedef const hilda_plugin* (*hilda_plugin_entry_function)(void);
#define HILDA_PLUGIN_ENTRY "hilda_plugin_entry"

#if defined(__GNUC__)
#define HILDA_EXPORT __attribute__((visibility("default")))
#else
#define HILDA_EXPORT
#endif

#ifdef __cplusplus
}
#endif

#endif
