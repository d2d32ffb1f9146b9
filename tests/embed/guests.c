/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plugin changes of the program around it in the loop: restored, reported; what the program changes stays. */
#include "embed.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define GUEST(settings)                                                                                                \
  "<diagram format=\"1\" name=\"guests\" period=\"1 ms\">\n<block name=\"guest\" type=\"taking/Takes\" " settings      \
  "/>\n</diagram>"

static int heard = 0;
static char last[2000];

static void listen(void* context, const hilda_sim_message* message) {
  (void)context;
  if (message->severity != HILDA_SIM_WARNING || strcmp(message->code, "block-process") != 0) return;
  ++heard;
  snprintf(last, sizeof last, "%s", message->text);
}

static hilda_sim* start(const char* text) {
  static const char* const plugins[] = {HILDA_TAKING};
  hilda_sim_options options;
  hilda_sim* sim = NULL;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.text = text;
  options.diagram = "guests.xml";
  options.plugins = plugins;
  options.plugin_count = 1;
  options.message = listen;
  heard = 0;
  STATUS(hilda_sim_load(&options, &sim), HILDA_SIM_OK);
  STATUS(hilda_sim_start(sim), HILDA_SIM_OK);
  CHECK(heard == 0);
  return sim;
}

static void one(int number) { (void)number; }
static void other(int number) { (void)number; }

static void handle(void (*handler)(int)) {
  signal(SIGINT, handler);
  signal(SIGTERM, handler);
  signal(SIGHUP, handler);
}

/* Asking for it sets it. */
static int handles(void (*handler)(int)) {
  const int same = signal(SIGINT, handler) == handler;
  return signal(SIGTERM, handler) == handler && same;
}

static int stands_in(const char* folder) {
  char now[4000];
  return getcwd(now, sizeof now) != NULL && strcmp(now, folder) == 0;
}

static void pass(long milliseconds) {
  const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&time, NULL);
}

void puts_signals_back(const char* folder) {
  hilda_sim* sim = start(GUEST("what=\"ignore\" in=\"output\" at=\"3\""));
  (void)folder;
  handle(one);
  STATUS(hilda_sim_step(sim, 3), HILDA_SIM_OK);
  CHECK(heard == 0 && handles(one));
  handle(other); /* the program's own doing, between two calls */
  STATUS(hilda_sim_step(sim, 2), HILDA_SIM_OK);
  CHECK(handles(other) && heard == 1);
  CHECK(strstr(last, "guests.xml:1: warning[block-process]: a plugin changed what belongs to the whole process while "
                     "the loop ran: ") == last);
  CHECK(strstr(last, "SIGINT: a handler of embed_test -> SIG_IGN") != NULL);
  STATUS(hilda_sim_reset(sim), HILDA_SIM_OK);
  STATUS(hilda_sim_step(sim, 5), HILDA_SIM_OK);
  CHECK(handles(other) && heard == 1); /* once */
  STATUS(hilda_sim_close(sim), HILDA_SIM_OK);
  handle(SIG_DFL);
}

void puts_the_folder_back(const char* folder) {
  hilda_sim* sim = start(GUEST("what=\"folder\" in=\"update\" at=\"700\""));
  char before[4000];
  CHECK(getcwd(before, sizeof before) != NULL);
  STATUS(hilda_sim_step(sim, 5), HILDA_SIM_OK);
  CHECK(chdir(folder) == 0 && heard == 0);
  STATUS(hilda_sim_step(sim, 5), HILDA_SIM_OK);
  CHECK(stands_in(folder) && heard == 0);
  STATUS(hilda_sim_run(sim, 1), HILDA_SIM_OK);
  CHECK(stands_in(folder) && heard == 1 && strstr(last, "the working folder: ") != NULL);
  CHECK(chdir(before) == 0);
  STATUS(hilda_sim_close(sim), HILDA_SIM_OK);
}

/* Ticks one by one: only some of them are watched. */
void finds_what_a_single_tick_took(const char* folder) {
  hilda_sim* sim = start(GUEST("what=\"ignore\" in=\"output\" at=\"700\""));
  int i;
  (void)folder;
  handle(one);
  for (i = 0; i < 1000; ++i) STATUS(hilda_sim_step(sim, 1), HILDA_SIM_OK);
  pass(150);
  STATUS(hilda_sim_step(sim, 1), HILDA_SIM_OK);
  CHECK(heard == 1);
  if (strstr(last, "signal handlers have changed: ") == NULL) { /* the tick itself was watched */
    CHECK(handles(one));
  } else {
    CHECK(strstr(last, "SIGINT: a handler of embed_test -> SIG_IGN") != NULL);
    CHECK(strstr(last, "a plugin did so in one of ") != NULL);
    CHECK(handles(SIG_IGN)); /* it may be the program's own doing */
  }
  pass(150);
  STATUS(hilda_sim_step(sim, 1), HILDA_SIM_OK);
  CHECK(heard == 1);
  STATUS(hilda_sim_close(sim), HILDA_SIM_OK);
  handle(SIG_DFL);
}

/* A call that takes long is watched in any case. */
void watches_long_calls_after_many_short_ones(const char* folder) {
  hilda_sim* sim = start(GUEST("what=\"umask\" in=\"output\" at=\"1000000\""));
  int i;
  (void)folder;
  for (i = 0; i < 200; ++i) STATUS(hilda_sim_step(sim, 1), HILDA_SIM_OK);
  pass(150);
  STATUS(hilda_sim_run(sim, 1500), HILDA_SIM_OK);
  CHECK(heard == 1 && strstr(last, "the umask: ") != NULL);
  STATUS(hilda_sim_close(sim), HILDA_SIM_OK);
}
