/* SPDX-License-Identifier: BSD-3-Clause */
/* An FMU of another hand, for tests of the importer: FMI 2.0 with -DFMI=2, 3.0 with -DFMI=3. With a step h:
 *   x[k+1] = x[k] + h/tau (u[k] - x[k]),  y = gain u + x,  n = count of steps times `stride`, on = `enabled` and x > 0
 * In FMI 3.0 also  w = A v  for a matrix A (2 by 3) and an input v.
 * `fault` makes it misbehave: see the table. */
#define _DEFAULT_SOURCE
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ok, warning, discard, error, fatal, pending };
enum {
  fault_none,
  step_error,
  step_warning,
  step_discard,
  step_fatal,
  step_pending,
  step_terminates,
  step_nan,
  step_crashes,
  step_hangs,
  init_error,
  enter_error,
  get_error,
  set_error,
  save_error,
  load_error,
  step_infinite,
  exits,
  early,
  chatty,
  load_crashes
};

#if FMI == 2
#define NAME(x) fmi2##x
typedef int boolean;
typedef void (*logger)(void*, const char*, int, const char*, const char*, ...);
typedef struct {
  logger log;
  void* (*allocate)(size_t, size_t);
  void (*release)(void*);
  void* finished;
  void* environment;
} callbacks;
#else
#define NAME(x) fmi3##x
typedef bool boolean;
typedef void (*logger)(void*, int, const char*, const char*);
#endif

typedef struct {
  double x, u, y, tau, gain, time, v[3], A[6];
  int64_t n, stride, fault, mode;
  boolean enabled;
  char label[64];
} numbers;
typedef struct {
  numbers now;
  char name[200];
  logger log;
  void* environment;
} instance;

static void start(instance* of) {
  memset(&of->now, 0, sizeof of->now);
  of->now.tau = 0.5, of->now.gain = 2, of->now.stride = 1, of->now.mode = 1, of->now.enabled = true;
  for (int i = 0; i < 6; ++i) of->now.A[i] = i + 1;
  strcpy(of->now.label, "plain");
}

static int say(instance* of, int status, const char* text) {
  if (of->log == NULL) return status;
#if FMI == 2
  of->log(of->environment, of->name, status, "plant", "%s, x = %g", text, of->now.x);
#else
  of->log(of->environment, status, "plant", text);
#endif
  return status;
}

static instance* make(const char* name, const char* token, const char* resources) {
  if (strcmp(token, "plant-token") != 0 || strstr(resources, "resources") == NULL) return NULL;
  instance* made = calloc(1, sizeof *made);
  snprintf(made->name, sizeof made->name, "%s", name);
  start(made);
  return made;
}

#if FMI == 2
void* fmi2Instantiate(const char* name, int type, const char* token, const char* resources, const callbacks* with,
                      int visible, int logging) {
  (void)type, (void)visible, (void)logging;
  instance* made = make(name, token, resources);
  if (made == NULL) {
    with->log(with->environment, name, error, "plant", "the guid %s is not mine", token);
    return NULL;
  }
  made->log = with->log, made->environment = with->environment;
  return made;
}
int fmi2SetupExperiment(instance* of, int has, double tolerance, double begin, int stops, double stop) {
  (void)has, (void)tolerance, (void)stops, (void)stop;
  of->now.time = begin;
  return ok;
}
int fmi2EnterInitializationMode(instance* of) {
  return of->now.fault == enter_error ? say(of, error, "cannot begin") : ok;
}
#else
void* fmi3InstantiateCoSimulation(const char* name, const char* token, const char* resources, bool visible,
                                  bool logging, bool events, bool early_return, const uint32_t* between, size_t count,
                                  void* environment, logger log, void* update) {
  (void)visible, (void)logging, (void)events, (void)early_return, (void)between, (void)count, (void)update;
  instance* made = make(name, token, resources);
  if (made == NULL) {
    log(environment, error, "plant", "the token is not mine");
    return NULL;
  }
  made->log = log, made->environment = environment;
  return made;
}
int fmi3EnterInitializationMode(instance* of, bool has, double tolerance, double begin, bool stops, double stop) {
  (void)has, (void)tolerance, (void)stops, (void)stop;
  of->now.time = begin;
  return of->now.fault == enter_error ? say(of, error, "cannot begin") : ok;
}
#endif

int NAME(ExitInitializationMode)(instance* of) {
  return of->now.fault == init_error ? say(of, error, "no consistent start values") : ok;
}
int NAME(Terminate)(instance* of) { return (void)of, ok; }
int NAME(Reset)(instance* of) { return start(of), ok; }
void NAME(FreeInstance)(instance* of) { free(of); }

static double* real(instance* of, uint32_t which) {
  numbers* now = &of->now;
  switch (which) {
  case 0: return &now->time;
  case 1: return &now->u;
  case 2: return &now->x;
  case 3: return now->y = now->gain * now->u + now->x, &now->y;
  case 4: return &now->tau;
  case 5: return &now->gain;
  default: return NULL;
  }
}
static int64_t* whole(instance* of, uint32_t which) {
  numbers* now = &of->now;
  return which == 10   ? &now->n
         : which == 11 ? &now->stride
         : which == 12 ? &now->mode
         : which == 13 ? &now->fault
                       : NULL;
}

#if FMI == 2
int fmi2GetReal(instance* of, const uint32_t* which, size_t count, double* values) {
  if (of->now.fault == get_error) return say(of, error, "values are not known yet");
  for (size_t i = 0; i < count; ++i) {
    const double* at = real(of, which[i]);
    if (at == NULL) return say(of, error, "no such real");
    values[i] = of->now.fault == step_nan && of->now.time > 0.25 ? NAN : *at;
    if (of->now.fault == step_infinite && of->now.time > 0.25) values[i] = INFINITY;
  }
  return ok;
}
int fmi2SetReal(instance* of, const uint32_t* which, size_t count, const double* values) {
  if (of->now.fault == set_error && of->now.time > 0.25) return say(of, error, "the input is refused");
  for (size_t i = 0; i < count; ++i) {
    double* at = real(of, which[i]);
    if (at == NULL) return say(of, error, "no such real");
    *at = values[i];
  }
  return ok;
}
int fmi2GetInteger(instance* of, const uint32_t* which, size_t count, int* values) {
  for (size_t i = 0; i < count; ++i) values[i] = (int)*whole(of, which[i]);
  return ok;
}
int fmi2SetInteger(instance* of, const uint32_t* which, size_t count, const int* values) {
  for (size_t i = 0; i < count; ++i) *whole(of, which[i]) = values[i];
  return ok;
}
int fmi2GetBoolean(instance* of, const uint32_t* which, size_t count, int* values) {
  (void)which, (void)count;
  return values[0] = of->now.enabled && of->now.x > 0, ok;
}
int fmi2SetBoolean(instance* of, const uint32_t* which, size_t count, const int* values) {
  (void)which, (void)count;
  return of->now.enabled = values[0], ok;
}
int fmi2SetString(instance* of, const uint32_t* which, size_t count, const char* const* values) {
  (void)which, (void)count;
  snprintf(of->now.label, sizeof of->now.label, "%s", values[0]);
  return say(of, ok, of->now.label);
}
int fmi2GetBooleanStatus(instance* of, int kind, int* value) {
  return *value = kind == 3 && of->now.fault == step_terminates, ok;
}
#else
int fmi3GetFloat64(instance* of, const uint32_t* which, size_t count, double* values, size_t size) {
  (void)count;
  if (of->now.fault == get_error) return say(of, error, "values are not known yet");
  if (which[0] == 6 || which[0] == 8)
    return memcpy(values, which[0] == 6 ? of->now.v : of->now.A, size * sizeof(double)), ok;
  if (which[0] == 7) {
    for (int i = 0; i < 2; ++i) {
      values[i] = 0;
      for (int j = 0; j < 3; ++j) values[i] += of->now.A[3 * i + j] * of->now.v[j];
    }
    return ok;
  }
  const double* at = real(of, which[0]);
  if (at == NULL) return say(of, error, "no such number");
  values[0] = of->now.fault == step_nan && of->now.time > 0.25 ? NAN : *at;
  if (of->now.fault == step_infinite && of->now.time > 0.25) values[0] = INFINITY;
  return ok;
}
int fmi3SetFloat64(instance* of, const uint32_t* which, size_t count, const double* values, size_t size) {
  (void)count;
  if (of->now.fault == set_error && of->now.time > 0.25) return say(of, error, "the input is refused");
  if (which[0] == 6 || which[0] == 8)
    return memcpy(which[0] == 6 ? of->now.v : of->now.A, values, size * sizeof(double)), ok;
  double* at = real(of, which[0]);
  if (at == NULL) return say(of, error, "no such number");
  *at = values[0];
  return ok;
}
int fmi3GetInt64(instance* of, const uint32_t* which, size_t count, int64_t* values, size_t size) {
  (void)count, (void)size;
  return values[0] = *whole(of, which[0]), ok;
}
int fmi3SetInt64(instance* of, const uint32_t* which, size_t count, const int64_t* values, size_t size) {
  (void)count, (void)size;
  return *whole(of, which[0]) = values[0], ok;
}
int fmi3GetBoolean(instance* of, const uint32_t* which, size_t count, bool* values, size_t size) {
  (void)which, (void)count, (void)size;
  return values[0] = of->now.enabled && of->now.x > 0, ok;
}
int fmi3SetBoolean(instance* of, const uint32_t* which, size_t count, const bool* values, size_t size) {
  (void)which, (void)count, (void)size;
  return of->now.enabled = values[0], ok;
}
int fmi3SetString(instance* of, const uint32_t* which, size_t count, const char* const* values, size_t size) {
  (void)which, (void)count, (void)size;
  snprintf(of->now.label, sizeof of->now.label, "%s", values[0]);
  return say(of, ok, of->now.label);
}
#endif

static int go(instance* of, double time, double h) {
  numbers* now = &of->now;
  if (time > 0.25) switch (now->fault) {
    case step_error: return say(of, error, "the solver does not converge");
    case step_discard:
    case step_terminates: return say(of, discard, "this step is too long");
    case step_fatal: return say(of, fatal, "my memory is gone");
    case step_pending: return pending;
    case step_crashes: raise(SIGSEGV); abort();
    case step_hangs:
      for (;;) usleep(1000);
    case exits: exit(7);
    default: break;
    }
  if (now->fault == step_warning && time == 0) say(of, warning, "the step is long");
  if (now->fault == chatty) say(of, ok, "one more step");
  now->x += h / now->tau * (now->u - now->x);
  now->n += now->stride;
  now->time = time + h;
  return now->fault == step_warning ? warning : ok;
}
#if FMI == 2
int fmi2DoStep(instance* of, double time, double h, int no_return) { return (void)no_return, go(of, time, h); }
#else
int fmi3DoStep(instance* of, double time, double h, bool no_return, bool* event, bool* ends, bool* stops_early,
               double* last) {
  (void)no_return;
  *event = *ends = *stops_early = false, *last = time + h;
  if (of->now.fault == step_terminates && time > 0.25) return *ends = true, ok;
  if (of->now.fault == early && time > 0.25) return *stops_early = true, *last = time + h / 2, ok;
  return go(of, time, h);
}
#define GetFMUstate GetFMUState
#define SetFMUstate SetFMUState
#define FreeFMUstate FreeFMUState
#define SerializedFMUstateSize SerializedFMUStateSize
#define SerializeFMUstate SerializeFMUState
#define DeSerializeFMUstate DeserializeFMUState
#endif

#define NAMED(x) NAME(x)
int NAMED(GetFMUstate)(instance* of, void** state) {
  if (of->now.fault == save_error) return say(of, error, "a file is open");
  if (*state == NULL) *state = malloc(sizeof of->now);
  memcpy(*state, &of->now, sizeof of->now);
  return ok;
}
int NAMED(SetFMUstate)(instance* of, void* state) { return memcpy(&of->now, state, sizeof of->now), ok; }
int NAMED(FreeFMUstate)(instance* of, void** state) { return (void)of, free(*state), *state = NULL, ok; }
int NAMED(SerializedFMUstateSize)(instance* of, void* state, size_t* size) {
  return (void)of, (void)state, *size = sizeof of->now, ok;
}
int NAMED(SerializeFMUstate)(instance* of, void* state, char* bytes, size_t size) {
  return (void)of, memcpy(bytes, state, size), ok;
}
int NAMED(DeSerializeFMUstate)(instance* of, const char* bytes, size_t size, void** state) {
  if (of->now.fault == load_error || size != sizeof of->now) return say(of, error, "not my bytes");
  *state = malloc(size);
  memcpy(*state, bytes, size);
  return ok;
}
