/* SPDX-License-Identifier: BSD-3-Clause */
/* A block that does one thing that no plugin may, by its parameter `way`: what becomes of each is in
 * docs/results/measurements/attacks.md. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <fenv.h>
#include <hilda/abi.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef struct record {
  const double* u;
  double y;
  double gain;
  double x;
  hilda_array more;
  const char* way;
  const hilda_instance* instance;
} record;

static volatile int sink;
static jmp_buf elsewhere;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void* volatile kept;
static FILE* volatile file;
static int calls;

static void* sleeps(void* argument) {
  while (1) sleep(1000);
  return argument;
}
static void* nothing(void* argument) { return argument; }
static void* writes_state(void* argument) {
  record* r = argument;
  for (int i = 0; i < 1000; ++i) r->x += 1;
  return argument;
}
static void handler(int signal) { (void)signal; }
static void leaves_at_exit(void) { _exit(0); }
static void exits_at_exit(int code, void* unused) {
  (void)code, (void)unused;
  exit(0);
}

static int deeper(int depth) {
  volatile char room[4096];
  room[depth % 4096] = 1;
  return depth < 0 ? 0 : deeper(depth + 1) + room[0];
}

static int is(const record* r, const char* way) { return strcmp(r->way, way) == 0; }

static int32_t infer(void* of, const hilda_instance* self, const hilda_inference* inference) {
  const record* r = of;
  (void)self;
  inference->dimension(inference->engine, "n", 2);
  if (is(r, "infer a size beyond all memory")) inference->dimension(inference->engine, "n", INT64_MAX / 2);
  if (is(r, "infer a negative size")) inference->dimension(inference->engine, "n", -3);
  if (is(r, "infer the shape of nothing")) inference->item_shape(inference->engine, NULL, 0, 1, 1);
  if (is(r, "infer the shape of no port")) inference->item_shape(inference->engine, "nowhere", 7, 1, 1);
  return 0;
}

static void spoil_process(const record* r) {
  if (is(r, "ignore Ctrl-C")) signal(SIGINT, SIG_IGN);
  if (is(r, "handle SIGSEGV")) signal(SIGSEGV, handler);
  if (is(r, "block signals")) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
  }
  if (is(r, "set an alarm")) alarm(1000);
  if (is(r, "change the folder") && chdir("/") != 0) abort();
  if (is(r, "change the locale")) setlocale(LC_ALL, "C.UTF-8");
  if (is(r, "change the umask")) umask(0);
  if (is(r, "close standard output")) close(STDOUT_FILENO);
  if (is(r, "close every descriptor"))
    for (int i = 0; i < 256; ++i) close(i);
  if (is(r, "close descriptors above the streams"))
    for (int i = 3; i < 256; ++i) close(i);
  if (is(r, "replace descriptors above the streams"))
    for (int i = 3; i < 256; ++i) dup2(STDERR_FILENO, i);
  if (is(r, "create a timer")) {
    timer_t timer;
    timer_create(CLOCK_MONOTONIC, NULL, &timer);
  }
  if (is(r, "limit descriptors to none")) setrlimit(RLIMIT_NOFILE, &(struct rlimit){0, 0});
  if (is(r, "empty the environment")) clearenv();
  if (is(r, "leave at exit with 0")) atexit(leaves_at_exit);
  if (is(r, "fail, and leave at exit with 0")) atexit(leaves_at_exit);
  if (is(r, "fail, and exit again with 0")) on_exit(exits_at_exit, NULL);
  if (is(r, "leave a thread behind")) {
    pthread_t thread;
    pthread_create(&thread, NULL, sleeps, NULL);
  }
  if (is(r, "leave a process behind")) {
    if (fork() == 0) {
      for (int i = 0; i < 256; ++i) close(i);
      sleep(1);
      _exit(0);
    }
  }
}

static int32_t configure(void* of, const hilda_instance* self) {
  record* r = of;
  r->instance = self;
  spoil_process(r);
  if (is(r, "report a million times"))
    for (int i = 0; i < 1000000; ++i) self->report(self->engine, "gain", "again");
  if (is(r, "report nothing")) self->report(self->engine, NULL, NULL);
  if (is(r, "report what is not text")) self->report(self->engine, "\xff", "\xff\xfe");
  if (is(r, "refuse in silence")) return 1;
  if (is(r, "write a parameter")) memset(&r->gain, 0x5a, sizeof r->gain);
  if (is(r, "overrun its record in configure")) memset(r + 1, 0x11, 64);
  if (is(r, "overrun far in configure")) memset(r + 1, 0x11, 32768);
  if (is(r, "crash in configure")) *(volatile int*)(uintptr_t)sink = 1;
  if (is(r, "hang in configure"))
    while (1) sink = sink + 1;
  if (is(r, "take all memory")) {
    for (uint64_t i = 0; i < 4096; ++i) {
      char* more = malloc(UINT64_C(1) << 30);
      if (more == NULL) abort();
      kept = more;
    }
  }
  return 0;
}

/* What takes an unknown time, or ends the program. */
static void spoil_loop(record* r) {
  const struct timespec moment = {0, 100000};
  if (is(r, "exit")) exit(0);
  if (is(r, "quick_exit")) quick_exit(0);
  if (is(r, "_exit")) _exit(0);
  if (is(r, "abort")) abort();
  if (is(r, "end its thread")) pthread_exit(NULL);
  if (is(r, "jump out")) longjmp(elsewhere, 1);
  if (is(r, "free its record")) kept = r, free(kept);
  if (is(r, "use up the stack")) sink = deeper(0);
  if (is(r, "divide by nothing")) sink = 1000 / (sink - sink);
  if (is(r, "call nowhere")) ((void (*)(void))(uintptr_t)16)();
  if (is(r, "write to a text")) *(volatile char*)(uintptr_t)r->way = 'x';
  if (is(r, "hang in the loop"))
    while (1) sink = sink + 1;
  if (is(r, "wait for a mutex that it has")) pthread_mutex_lock(&mutex), pthread_mutex_lock(&mutex);
  if (is(r, "lock in the loop")) pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex);
  if (is(r, "sleep in the loop")) nanosleep(&moment, NULL);
  if (is(r, "write a file in the loop")) {
    if (file == NULL) file = fopen("/dev/null", "w");
    fprintf(file, "%g\n", r->y);
  }
  if (is(r, "start threads in the loop")) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, nothing, NULL) == 0) pthread_join(thread, NULL);
  }
  if (is(r, "allocate in the loop")) kept = malloc(64);
  if (is(r, "race with its own thread")) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, writes_state, r) != 0) abort();
    for (int i = 0; i < 1000; ++i) r->x += 1;
    pthread_join(thread, NULL);
  }
  if (is(r, "round upwards")) fesetround(FE_UPWARD);
  if (is(r, "trap floating-point faults")) feenableexcept(FE_DIVBYZERO | FE_INVALID);
  if (is(r, "ignore Ctrl-C in the loop")) signal(SIGINT, SIG_IGN);
  if (is(r, "close descriptors in the loop"))
    for (int i = 3; i < 256; ++i) close(i);
}

static void output(void* of, const hilda_tick* now) {
  record* r = of;
  ++calls;
  if (!is(r, "leave its output as it is")) r->y = r->u != NULL ? r->gain * *r->u : 0.0;
  if (now->index < 3) return;
  spoil_loop(r);
  if (is(r, "give NaN")) r->y = (double)NAN;
  if (is(r, "give infinity")) r->y = (double)INFINITY;
  if (is(r, "count in a static")) r->y = calls;
  if (is(r, "give random numbers")) r->y = rand();
  if (is(r, "ask the clock")) r->y = (double)time(NULL) + (double)clock();
  if (is(r, "write an input") && r->u != NULL) *(double*)(uintptr_t)r->u += 1;
  if (is(r, "overrun its record")) memset(r + 1, 0x11, 64);
  if (is(r, "overrun its record by a word"))
    memset((char*)r + ((sizeof *r + 7) & ~(size_t)7) + 2 * sizeof(double), 0x11, 8);
  if (is(r, "overrun far")) memset(r + 1, 0x11, 32768);
  if (is(r, "underrun its record")) memset((char*)r - 64, 0x11, 64);
  if (is(r, "read behind an input") && r->u != NULL) r->y = r->u[1];
  if (is(r, "write its state in output")) r->x += 1, r->y = r->x;
  if (is(r, "fail with a text that is gone")) {
    now->control->verdict = HILDA_FAIL;
    now->control->record = r;
    now->control->text = (const char*)(uintptr_t)16;
  }
  if (is(r, "fail, and leave at exit with 0") || is(r, "fail, and exit again with 0")) {
    now->control->verdict = HILDA_FAIL;
    now->control->record = r;
    now->control->text = "failed";
  }
  if (is(r, "fail without a name")) now->control->verdict = HILDA_FAIL;
  if (is(r, "give a verdict that there is not")) now->control->verdict = 77;
  if (is(r, "report from the loop")) r->instance->report(r->instance->engine, "gain", "late");
}

static void destroy(void* of) {
  const record* r = of;
  if (r->way != NULL && is(r, "crash when it goes")) *(volatile int*)(uintptr_t)sink = 1;
}

static void summarize(const void* of, const hilda_summary_sink* sink_of) {
  const record* r = of;
  if (is(r, "give a figure twice"))
    for (int i = 0; i < 2; ++i) sink_of->number(sink_of->engine, "figure", i, "1");
  if (!is(r, "summarize garbage")) return;
  sink_of->number(sink_of->engine, "\xff\xfe", 1, "furlong");
  sink_of->text(sink_of->engine, NULL, NULL);
}
static const hilda_summary_1 summary = {sizeof(hilda_summary_1), 0, summarize};
static const void* extension(const char* name) { return strcmp(name, "hilda.summary/1") == 0 ? &summary : NULL; }

static const hilda_slot slots[] = {
    {.size = sizeof(hilda_slot),
     .role = HILDA_INPUT,
     .element = HILDA_F64,
     .name = "u",
     .shape = "",
     .unit = "1",
     .doc = "Signal",
     .offset = offsetof(record, u)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_OUTPUT,
     .element = HILDA_F64,
     .name = "y",
     .shape = "",
     .unit = "1",
     .doc = "Signal",
     .offset = offsetof(record, y)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_OUTPUT,
     .element = HILDA_F64,
     .flags = HILDA_BOUND,
     .name = "more",
     .shape = "n",
     .unit = "1",
     .doc = "Nothing",
     .offset = offsetof(record, more)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_STATE,
     .element = HILDA_F64,
     .name = "x",
     .shape = "",
     .unit = "1",
     .doc = "Memory",
     .offset = offsetof(record, x)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_PARAMETER,
     .element = HILDA_F64,
     .name = "gain",
     .shape = "",
     .unit = "1",
     .doc = "Gain",
     .initial = "1",
     .minimum = -INFINITY,
     .maximum = INFINITY,
     .offset = offsetof(record, gain)},
    {.size = sizeof(hilda_slot),
     .role = HILDA_PARAMETER,
     .element = HILDA_TEXT,
     .name = "way",
     .shape = "",
     .unit = "",
     .doc = "What it does",
     .initial = "",
     .offset = offsetof(record, way)},
};
static const hilda_block_type types[] = {{.size = sizeof(hilda_block_type),
                                          .name = "Block",
                                          .doc = "Does what no block may.",
                                          .record_size = sizeof(record),
                                          .record_align = _Alignof(record),
                                          .slots = slots,
                                          .slot_count = sizeof slots / sizeof *slots,
                                          .slot_stride = sizeof *slots,
                                          .infer = infer,
                                          .configure = configure,
                                          .output = output,
                                          .destroy = destroy,
                                          .extension = extension}};
static const hilda_plugin plugin = {.size = sizeof(hilda_plugin),
                                    .abi_major = HILDA_ABI_MAJOR,
                                    .abi_minor = HILDA_ABI_MINOR,
                                    .type_stride = sizeof *types,
                                    .name = "evil",
                                    .version = "1",
                                    .built = "C",
                                    .types = types,
                                    .type_count = 1};
HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void);
HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void) { return &plugin; }
