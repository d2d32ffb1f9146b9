/* SPDX-License-Identifier: BSD-3-Clause */
/* The C API of libhilda.so, for programs that run diagrams in simulation: an FMU, a bridge to another simulator, an
 * optimiser, a learning environment. Plain C99. Link with libhilda.so (`pkg-config --cflags --libs hilda-embed`).
 *
 *   hilda_sim_options options = {sizeof options};
 *   options.diagram = "cart.xml";
 *   hilda_sim* sim;
 *   hilda_sim_input push;
 *   if (hilda_sim_load(&options, &sim) < 0) { fputs(hilda_sim_error(), stderr); return 1; }
 *   hilda_sim_find_input(sim, "push", &push, NULL);
 *   hilda_sim_start(sim);
 *   for (...) {
 *     double force = 1.5;
 *     hilda_sim_write(sim, push, &force, 1);
 *     hilda_sim_step(sim, 10);
 *   }
 *   hilda_sim_close(sim);
 *
 * Results: each function returns a hilda_sim_status. Below 0 it is an error: nothing has changed unless the function
 * says otherwise, and hilda_sim_error() has the text. No C++ exception leaves a function, and none ends the process.
 * Numbers: doubles in SI units. A matrix is stored column by column; a boolean is 0 or 1.
 * Texts: UTF-8, ended by a 0 byte. Texts that go in are copied. Texts that come out belong to the library.
 * Threads: a simulation serves one thread at a time, whichever it is. A call that comes while another one runs returns
 * HILDA_SIM_BUSY, except hilda_sim_interrupt. Different simulations may run in different threads.
 * Handles: an input or output is found by its path once, and is then a number that costs nothing to look up. A handle
 * of another simulation, or of a diagram that was loaded again, is refused.
 *
 * Compatibility: HILDA_SIM_MAJOR is in the name of the library, libhilda.so.1. Within it, functions and members at the
 * end of structs are only added, and HILDA_SIM_MINOR counts that. See docs/embedding.md. */
#ifndef HILDA_EMBED_H
#define HILDA_EMBED_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HILDA_SIM_MAJOR 1u
#define HILDA_SIM_MINOR 0u

/* The status that a function returns. */
typedef enum hilda_sim_status {
  HILDA_SIM_OK = 0,
  HILDA_SIM_ENDED = 1,       /* a block ended the run as planned; hilda_sim_ending says why */
  HILDA_SIM_INTERRUPTED = 2, /* hilda_sim_interrupt came; the run can continue */

  HILDA_SIM_INVALID = -1,    /* an argument is null or not what it must be */
  HILDA_SIM_DIAGRAM = -2,    /* a diagram, a setting or a path is wrong: see hilda_sim_error_at for each error */
  HILDA_SIM_NUMBERS = -3,    /* too few or too many numbers, or one that is not finite, not whole, or out of range */
  HILDA_SIM_GONE = -4,       /* the handle belongs to a diagram that was loaded again */
  HILDA_SIM_OTHER = -5,      /* the handle belongs to another simulation */
  HILDA_SIM_STATE = -6,      /* not now: not started, started already, ended, or a log is open */
  HILDA_SIM_BUSY = -7,       /* another call runs in this simulation */
  HILDA_SIM_CHECKPOINT = -8, /* damaged, of another diagram, not possible, or the buffer is too small */
  HILDA_SIM_FILE = -9,       /* a log cannot be written */
  HILDA_SIM_FAILED = -10,    /* the run failed: NaN, a limit, a block's error; hilda_sim_ending says why */
  HILDA_SIM_MEMORY = -11,    /* no memory */
  HILDA_SIM_INTERNAL = -12   /* an error in hilda itself */
} hilda_sim_status;

/* A simulation: one diagram that runs. */
typedef struct hilda_sim hilda_sim;

/* Handles. They may be copied. {0} is not a handle. */
typedef struct hilda_sim_input {
  uint64_t number;
} hilda_sim_input;
typedef struct hilda_sim_output {
  uint64_t number;
} hilda_sim_output;

enum hilda_sim_severity { HILDA_SIM_ERROR = 1, HILDA_SIM_WARNING = 2, HILDA_SIM_REMARK = 3 };

/* One error, warning or remark. No text is null. */
typedef struct hilda_sim_message {
  uint32_t size;    /* set by the caller: sizeof(hilda_sim_message) */
  int32_t severity; /* hilda_sim_severity */
  const char* code; /* "unknown-setting"; "" for remarks */
  const char* file; /* "" where there is none */
  int64_t line;     /* from 1 on; 0 where there is none */
  const char* what; /* what is wrong, in one line */
  const char* help; /* what to do; may be "" */
  const char* text; /* all of it as `hilda check` prints it: "file:line: error[code]: what" and the lines behind */
} hilda_sim_message;

/* What to load. Set all of it to 0 first, then `size`. Null and "" both mean none. */
typedef struct hilda_sim_options {
  uint32_t size; /* sizeof(hilda_sim_options) */
  uint32_t reserved;
  const char* diagram;         /* the diagram's file; where `text` is given, the name that messages use */
  const char* text;            /* the diagram itself, XML; null: the file is read */
  const char* mode;            /* variant, such as "sim" */
  const char* rig;             /* file that replaces the subsystem `rig` */
  const char* solver;          /* "rk4", "dopri5", ...; none: the diagram's */
  const char* const* settings; /* "lead.time_constant=4 ms", `setting_count` of them */
  size_t setting_count;
  const char* const* overlays; /* files with settings, later ones win */
  size_t overlay_count;
  const char* const* plugins; /* folders with plugins, in addition to those of hilda and of HILDA_PLUGIN_PATH */
  size_t plugin_count;
  /* Is called with each warning and remark, in the thread that made the call, before that call returns. The message and
   * its texts are valid during the call. It must not call this simulation (HILDA_SIM_BUSY). Null: no messages. */
  void (*message)(void* context, const hilda_sim_message* message);
  void* context;
} hilda_sim_options;

/* Shape and unit of an input or output. */
typedef struct hilda_sim_shape {
  uint32_t size;   /* set by the caller: sizeof(hilda_sim_shape) */
  int32_t element; /* 1: real, 2: whole number, 3: whole number from 0 on, 4: boolean */
  int32_t rows, cols;
  uint64_t count;   /* rows * cols: so many numbers are written and read */
  const char* unit; /* "N s/m"; "": a pure number, or (wrench, twist, pose) one unit for each part. Valid until the
                     * diagram is loaded again. */
} hilda_sim_shape;

/* Numbers for one of several inputs. */
typedef struct hilda_sim_numbers {
  hilda_sim_input input;
  const double* numbers;
  size_t count;
} hilda_sim_numbers;

/* Version of the library: (major << 16) | minor. This and the next four functions may be called in any thread. */
uint32_t hilda_sim_version(void);
/* Version of hilda: "0.1.0". */
const char* hilda_sim_program_version(void);

/* The last error in this thread, as text of one or several lines; "" where there was none. Valid until the next error
 * in this thread. */
const char* hilda_sim_error(void);
/* The same as a list, in the order in which they were found, warnings included. */
size_t hilda_sim_error_count(void);
/* Fills in the message with this index. HILDA_SIM_INVALID where there is none. */
int hilda_sim_error_at(size_t index, hilda_sim_message* message);

/* Loads a diagram, checks and initialises it. It is at t = 0 and is not started. *sim is null after an error. A
 * diagram that touches devices is refused: this API simulates. */
int hilda_sim_load(const hilda_sim_options* options, hilda_sim** sim);
/* Ends its log, stops its blocks and frees it; null is ignored. After it the pointer is invalid. HILDA_SIM_BUSY: it is
 * not freed. Other errors are reported, and it is freed. */
int hilda_sim_close(hilda_sim* sim);

/* Starts the blocks. Once, before the first tick. */
int hilda_sim_start(hilda_sim* sim);
/* Continues by `ticks`, 1 or more. HILDA_SIM_ENDED or HILDA_SIM_FAILED: the run is over until reset or restore. */
int hilda_sim_step(hilda_sim* sim, int64_t ticks);
/* Continues by so many seconds, above 0, rounded up to whole ticks. */
int hilda_sim_run(hilda_sim* sim, double seconds);
/* Any thread, also while another call runs, and from a signal's handler: step or run returns after its tick with
 * HILDA_SIM_INTERRUPTED. Where none runs, the next one returns at once. */
int hilda_sim_interrupt(hilda_sim* sim);

/* The time of the next tick in s; its number, from 0 on; s from one tick to the next. */
int hilda_sim_time(hilda_sim* sim, double* seconds);
int hilda_sim_tick(hilda_sim* sim, int64_t* tick);
int hilda_sim_period(hilda_sim* sim, double* seconds);
/* Why the run is over; "" while it continues. Valid until the next call of this simulation. */
int hilda_sim_ending(hilda_sim* sim, const char** text);
/* The summary of the run so far, as `hilda run --summary` writes it (JSON). Valid until the next call. */
int hilda_sim_summary(hilda_sim* sim, const char** json);

/* Loads the diagram again from its files and begins at t = 0, with the settings of `options`. Handles are gone. */
int hilda_sim_reset(hilda_sim* sim);
/* Continues in the diagram as its files are now; states and what was set are kept by their paths. Handles are gone. */
int hilda_sim_reload(hilda_sim* sim);

/* An input of the diagram, or a parameter that may change while it runs. `shape` may be null. */
int hilda_sim_find_input(hilda_sim* sim, const char* path, hilda_sim_input* input, hilda_sim_shape* shape);
/* A signal or a part of one: "plant.position", "rig.wrench.force.x", "arm.q[2]". `shape` may be null. */
int hilda_sim_find_output(hilda_sim* sim, const char* path, hilda_sim_output* output, hilda_sim_shape* shape);
/* The next tick has these numbers. The last write before a tick counts. Allocates nothing. */
int hilda_sim_write(hilda_sim* sim, hilda_sim_input input, const double* numbers, size_t count);
/* Several inputs, or none of them. */
int hilda_sim_write_many(hilda_sim* sim, const hilda_sim_numbers* all, size_t count);
/* The signal as computed last. Allocates nothing. */
int hilda_sim_read(hilda_sim* sim, hilda_sim_output output, double* numbers, size_t count);

/* Sets a parameter by a text, before the next tick: "4 ms", "1 0; 0 1 N/m". One that may change only while the loop
 * is paused builds the diagram again with its states, and handles are gone. */
int hilda_sim_set(hilda_sim* sim, const char* path, const char* text);
/* Several parameters, or none of them. */
int hilda_sim_set_many(hilda_sim* sim, const char* const* paths, const char* const* texts, size_t count);
/* The value of a parameter as a person writes it. Valid until the next call of this simulation. */
int hilda_sim_get(hilda_sim* sim, const char* path, const char** text);

/* The whole state of the run; values of parameters are not in it. *size: in, the buffer's size; out, the size of the
 * checkpoint, also where the buffer is null or too small (HILDA_SIM_CHECKPOINT). */
int hilda_sim_checkpoint(hilda_sim* sim, void* bytes, size_t* size);
/* Goes to a checkpoint of the same diagram, also one of another process; what follows has the same bits. A log ends.
 * Handles stay valid. */
int hilda_sim_restore(hilda_sim* sim, const void* bytes, size_t size);

/* Writes a log (MCAP) of every tick from here on, until end_log, close, reset, reload or restore. */
int hilda_sim_begin_log(hilda_sim* sim, const char* file);
/* Completes the log. Where there is none, nothing happens. */
int hilda_sim_end_log(hilda_sim* sim);

#ifdef __cplusplus
}
#endif

#endif
