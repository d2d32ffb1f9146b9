/* SPDX-License-Identifier: BSD-3-Clause */
/* hilda/embed.h from C99: what it promises, and what it refuses, word by word: embed_test FOLDER */
#include "embed.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const char cart[] = "<diagram format=\"1\" name=\"cart\" period=\"1 ms\">\n"
                           "  <input name=\"push\" default=\"0 N\" unit=\"N\"/>\n"
                           "  <block name=\"mobility\" type=\"math/Gain\" gain=\"0.5 1/kg\"/>\n"
                           "  <block name=\"velocity\" type=\"continuous/Integrator\" initial=\"0 m/s\"/>\n"
                           "  <block name=\"pair\" type=\"sources/Constant\" value=\"1 2; 3 4; 5 6\"/>\n"
                           "  <connect from=\"push\" to=\"mobility.u\"/>\n"
                           "  <connect from=\"mobility.y\" to=\"velocity.u\"/>\n"
                           "</diagram>";

int faults = 0;

void fault(const char* file, int line, const char* what) {
  fprintf(stderr, "%s:%d: %s\n", file, line, what);
  ++faults;
}

void check_status(const char* file, int line, int status, int wanted) {
  if (status == wanted) return;
  fprintf(stderr, "%s:%d: status %d instead of %d: %s\n", file, line, status, wanted, hilda_sim_error());
  ++faults;
}

void check_error(const char* file, int line, int status, int wanted, const char* text) {
  check_status(file, line, status, wanted);
  if (strcmp(hilda_sim_error(), text) == 0) return;
  fprintf(stderr, "%s:%d: the error is\n%sand not\n%s", file, line, hilda_sim_error(), text);
  ++faults;
}

hilda_sim* load_text(const char* text) {
  hilda_sim_options options;
  hilda_sim* sim = NULL;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.text = text;
  options.diagram = "test.xml";
  STATUS(hilda_sim_load(&options, &sim), HILDA_SIM_OK);
  if (sim == NULL) exit(1);
  return sim;
}

static hilda_sim* started(void) {
  hilda_sim* sim = load_text(cart);
  STATUS(hilda_sim_start(sim), HILDA_SIM_OK);
  return sim;
}

static void writes_and_reads(const char* folder) {
  hilda_sim* sim = started();
  hilda_sim_input push, pair;
  hilda_sim_output velocity, matrix;
  hilda_sim_shape shape;
  hilda_sim_numbers both[2];
  double force = 4, read = 0, six[6] = {1, 2, 3, 4, 5, 6}, six_read[6], time = 0, period = 0;
  int64_t tick = 0;
  const char* text = "";
  (void)folder;
  shape.size = sizeof shape;
  STATUS(hilda_sim_find_input(sim, "push", &push, &shape), HILDA_SIM_OK);
  CHECK(shape.rows == 1 && shape.cols == 1 && shape.count == 1 && shape.element == 1);
  CHECK(strcmp(shape.unit, "N") == 0);
  STATUS(hilda_sim_find_input(sim, "pair.value", &pair, &shape), HILDA_SIM_OK);
  CHECK(shape.rows == 3 && shape.cols == 2 && shape.count == 6 && strcmp(shape.unit, "") == 0);
  STATUS(hilda_sim_find_output(sim, "velocity.y", &velocity, &shape), HILDA_SIM_OK);
  CHECK(shape.count == 1 && strcmp(shape.unit, "m/s") == 0);
  STATUS(hilda_sim_find_output(sim, "pair.y", &matrix, NULL), HILDA_SIM_OK);
  STATUS(hilda_sim_write(sim, push, &force, 1), HILDA_SIM_OK);
  STATUS(hilda_sim_step(sim, 500), HILDA_SIM_OK);
  STATUS(hilda_sim_run(sim, 0.5005), HILDA_SIM_OK);
  STATUS(hilda_sim_time(sim, &time), HILDA_SIM_OK);
  STATUS(hilda_sim_tick(sim, &tick), HILDA_SIM_OK);
  STATUS(hilda_sim_period(sim, &period), HILDA_SIM_OK);
  CHECK(tick == 1001 && fabs(time - 1.001) < 1e-12 && period == 0.001);
  STATUS(hilda_sim_read(sim, velocity, &read, 1), HILDA_SIM_OK);
  CHECK(fabs(read - 2) < 1e-12);
  STATUS(hilda_sim_read(sim, matrix, six_read, 6), HILDA_SIM_OK);
  CHECK(six_read[1] == 3 && six_read[3] == 2); /* column by column */
  both[0].input = push, both[0].numbers = &force, both[0].count = 1;
  both[1].input = pair, both[1].numbers = six, both[1].count = 6;
  force = -4;
  STATUS(hilda_sim_write_many(sim, both, 2), HILDA_SIM_OK);
  STATUS(hilda_sim_get(sim, "push", &text), HILDA_SIM_OK);
  CHECK(strcmp(text, "-4 N") == 0);
  STATUS(hilda_sim_step(sim, 1), HILDA_SIM_OK);
  STATUS(hilda_sim_read(sim, matrix, six_read, 6), HILDA_SIM_OK);
  CHECK(memcmp(six, six_read, sizeof six) == 0);
  STATUS(hilda_sim_set(sim, "push", "2 kN"), HILDA_SIM_OK);
  STATUS(hilda_sim_get(sim, "push", &text), HILDA_SIM_OK);
  CHECK(strcmp(text, "2 kN") == 0);
  STATUS(hilda_sim_summary(sim, &text), HILDA_SIM_OK);
  CHECK(strstr(text, "\"steps\":1002") != NULL);
  CHECK(hilda_sim_version() == (HILDA_SIM_MAJOR << 16 | HILDA_SIM_MINOR));
  CHECK(strchr(hilda_sim_program_version(), '.') != NULL);
  STATUS(hilda_sim_close(sim), HILDA_SIM_OK);
}

static void goes_back_to_checkpoints(const char* folder) {
  hilda_sim *sim = started(), *other = started();
  hilda_sim_input push;
  hilda_sim_output velocity;
  double force = 4, one = 0, again = 0;
  size_t size = 0;
  void* bytes = NULL;
  (void)folder;
  STATUS(hilda_sim_find_input(sim, "push", &push, NULL), HILDA_SIM_OK);
  STATUS(hilda_sim_find_output(sim, "velocity.y", &velocity, NULL), HILDA_SIM_OK);
  STATUS(hilda_sim_write(sim, push, &force, 1), HILDA_SIM_OK);
  STATUS(hilda_sim_step(sim, 37), HILDA_SIM_OK);
  STATUS(hilda_sim_checkpoint(sim, NULL, &size), HILDA_SIM_CHECKPOINT);
  bytes = malloc(size);
  STATUS(hilda_sim_checkpoint(sim, bytes, &size), HILDA_SIM_OK);
  STATUS(hilda_sim_step(sim, 100), HILDA_SIM_OK);
  STATUS(hilda_sim_read(sim, velocity, &one, 1), HILDA_SIM_OK);
  STATUS(hilda_sim_restore(sim, bytes, size), HILDA_SIM_OK);
  STATUS(hilda_sim_write(sim, push, &force, 1), HILDA_SIM_OK); /* handles are valid still */
  STATUS(hilda_sim_step(sim, 100), HILDA_SIM_OK);
  STATUS(hilda_sim_read(sim, velocity, &again, 1), HILDA_SIM_OK);
  CHECK(one != 0 && memcmp(&one, &again, sizeof one) == 0);
  STATUS(hilda_sim_restore(other, bytes, size), HILDA_SIM_OK);
  STATUS(hilda_sim_set(other, "push", "4 N"), HILDA_SIM_OK);
  STATUS(hilda_sim_step(other, 100), HILDA_SIM_OK);
  STATUS(hilda_sim_find_output(other, "velocity.y", &velocity, NULL), HILDA_SIM_OK);
  STATUS(hilda_sim_read(other, velocity, &again, 1), HILDA_SIM_OK);
  CHECK(memcmp(&one, &again, sizeof one) == 0);
  ERROR_TEXT(hilda_sim_restore(sim, bytes, 20), HILDA_SIM_CHECKPOINT,
             "error[sim-checkpoint]: the 20 bytes are not a whole checkpoint: they are cut or damaged\n"
             "  help: give all bytes that hilda_sim_checkpoint gave\n");
  ((unsigned char*)bytes)[size / 2] ^= 1;
  STATUS(hilda_sim_restore(sim, bytes, size), HILDA_SIM_CHECKPOINT);
  ((unsigned char*)bytes)[size / 2] ^= 1;
  hilda_sim_close(other);
  other = load_text("<diagram format=\"1\" name=\"one\" period=\"1 ms\">"
                    "<block name=\"a\" type=\"sources/Constant\" value=\"1\"/></diagram>");
  STATUS(hilda_sim_start(other), HILDA_SIM_OK);
  ERROR_TEXT(hilda_sim_restore(other, bytes, size), HILDA_SIM_CHECKPOINT,
             "error[sim-checkpoint]: the checkpoint is of another diagram than 'test.xml'\n"
             "  help: load the diagram that it was made of\n");
  free(bytes);
  STATUS(hilda_sim_close(sim), HILDA_SIM_OK);
  STATUS(hilda_sim_close(other), HILDA_SIM_OK);
}

static void refuses_wrong_numbers(const char* folder) {
  hilda_sim* sim = started();
  hilda_sim_input push, none = {0}, beyond;
  hilda_sim_output velocity, no_output = {0};
  double two[2] = {1, 2}, read = 0;
  hilda_sim_numbers list[2];
  (void)folder;
  STATUS(hilda_sim_find_input(sim, "push", &push, NULL), HILDA_SIM_OK);
  STATUS(hilda_sim_find_output(sim, "velocity.y", &velocity, NULL), HILDA_SIM_OK);
  ERROR_TEXT(hilda_sim_write(sim, push, two, 2), HILDA_SIM_NUMBERS,
             "error[sim-numbers]: input 'push' has 1 number, and 2 numbers came: its shape was settled when the "
             "diagram was loaded\n");
  ERROR_TEXT(hilda_sim_write(sim, push, NULL, 0), HILDA_SIM_NUMBERS,
             "error[sim-numbers]: input 'push' has 1 number, and 0 numbers came: its shape was settled when the "
             "diagram was loaded\n");
  two[0] = NAN;
  ERROR_TEXT(hilda_sim_write(sim, push, two, 1), HILDA_SIM_NUMBERS,
             "error[sim-numbers]: input 'push' would be nan: write a finite number\n");
  list[0].input = push, list[0].numbers = &two[1], list[0].count = 1;
  list[1].input = push, list[1].numbers = &two[0], list[1].count = 1;
  STATUS(hilda_sim_write_many(sim, list, 2), HILDA_SIM_NUMBERS);
  STATUS(hilda_sim_step(sim, 1), HILDA_SIM_OK);
  STATUS(hilda_sim_read(sim, velocity, &read, 1), HILDA_SIM_OK);
  CHECK(read == 0); /* several are written, or none */
  ERROR_TEXT(hilda_sim_read(sim, velocity, two, 2), HILDA_SIM_NUMBERS,
             "error[sim-numbers]: output 'velocity.y' is read into an array of 1, and this one has 2\n"
             "  help: hilda_sim_find_output gives the count\n");
  ERROR_TEXT(hilda_sim_write(sim, none, two, 1), HILDA_SIM_INVALID,
             "error[sim-handle]: the handle is 0, which is not an input\n"
             "  help: hilda_sim_find_input gives the handle of this simulation\n");
  STATUS(hilda_sim_read(sim, no_output, two, 1), HILDA_SIM_INVALID);
  beyond.number = push.number + 7;
  ERROR_TEXT(hilda_sim_write(sim, beyond, two, 1), HILDA_SIM_INVALID,
             "error[sim-handle]: the handle is for input 8, and this simulation has found 1\n"
             "  help: hilda_sim_find_input gives the handle of this simulation\n");
  ERROR_TEXT(hilda_sim_write(sim, push, NULL, 1), HILDA_SIM_INVALID,
             "error[sim-null]: numbers is null\n  help: give a valid pointer: see hilda/embed.h\n");
  list[1].numbers = NULL;
  ERROR_TEXT(hilda_sim_write_many(sim, list, 2), HILDA_SIM_INVALID,
             "error[sim-null]: the numbers for input 1 are null\n  help: give an array for each input\n");
  STATUS(hilda_sim_close(sim), HILDA_SIM_OK);
}

static void refuses_handles_of_others(const char* folder) {
  hilda_sim *sim = started(), *other = started();
  hilda_sim_input push, again;
  hilda_sim_output velocity;
  hilda_sim_numbers list[1];
  double force = 4, read = 0;
  (void)folder;
  STATUS(hilda_sim_find_input(sim, "push", &push, NULL), HILDA_SIM_OK);
  STATUS(hilda_sim_find_output(sim, "velocity.y", &velocity, NULL), HILDA_SIM_OK);
  STATUS(hilda_sim_write(other, push, &force, 1), HILDA_SIM_OTHER);
  CHECK(strncmp(hilda_sim_error(), "error[sim-other]: the handle of an input belongs to simulation ", 62) == 0);
  STATUS(hilda_sim_read(other, velocity, &read, 1), HILDA_SIM_OTHER);
  list[0].input = push, list[0].numbers = &force, list[0].count = 1;
  STATUS(hilda_sim_write_many(other, list, 1), HILDA_SIM_OTHER);
  STATUS(hilda_sim_write(sim, push, &force, 1), HILDA_SIM_OK);
  STATUS(hilda_sim_step(sim, 10), HILDA_SIM_OK);
  STATUS(hilda_sim_reload(sim), HILDA_SIM_OK);
  ERROR_TEXT(hilda_sim_write(sim, push, &force, 1), HILDA_SIM_GONE,
             "error[sim-gone]: the handle of an input belongs to a diagram that was loaded again\n"
             "  help: hilda_sim_find_input gives the handle of this simulation\n");
  STATUS(hilda_sim_read(sim, velocity, &read, 1), HILDA_SIM_GONE);
  STATUS(hilda_sim_find_output(sim, "velocity.y", &velocity, NULL), HILDA_SIM_OK);
  STATUS(hilda_sim_step(sim, 1), HILDA_SIM_OK);
  STATUS(hilda_sim_read(sim, velocity, &read, 1), HILDA_SIM_OK);
  CHECK(fabs(read - 0.02) < 1e-12); /* states and what was written are kept */
  STATUS(hilda_sim_find_input(sim, "push", &again, NULL), HILDA_SIM_OK);
  STATUS(hilda_sim_reset(sim), HILDA_SIM_OK);
  STATUS(hilda_sim_write(sim, again, &force, 1), HILDA_SIM_GONE);
  STATUS(hilda_sim_find_output(sim, "velocity.y", &velocity, NULL), HILDA_SIM_OK);
  STATUS(hilda_sim_step(sim, 1), HILDA_SIM_OK);
  STATUS(hilda_sim_read(sim, velocity, &read, 1), HILDA_SIM_OK);
  CHECK(read == 0); /* from t = 0 with the push of the diagram */
  STATUS(hilda_sim_close(sim), HILDA_SIM_OK);
  STATUS(hilda_sim_close(other), HILDA_SIM_OK);
}

static void refuses_wrong_arguments(const char* folder) {
  hilda_sim_options options;
  hilda_sim* sim = NULL;
  hilda_sim_input input;
  hilda_sim_shape shape;
  hilda_sim_message message;
  const char* const settings[] = {"push=1 N", NULL};
  double number = 0;
  (void)folder;
  memset(&options, 0, sizeof options);
  STATUS(hilda_sim_load(&options, NULL), HILDA_SIM_INVALID);
  STATUS(hilda_sim_load(NULL, &sim), HILDA_SIM_INVALID);
  options.size = 8;
  ERROR_TEXT(hilda_sim_load(&options, &sim), HILDA_SIM_INVALID,
             "error[sim-size]: hilda_sim_options: size is 8, and version 1.0 has 112 bytes\n"
             "  help: set size = sizeof(hilda_sim_options)\n");
  options.size = sizeof options;
  ERROR_TEXT(hilda_sim_load(&options, &sim), HILDA_SIM_INVALID,
             "error[sim-null]: hilda_sim_options: diagram and text are null\n"
             "  help: give the diagram's file, or its text\n");
  options.text = cart;
  options.setting_count = 2;
  ERROR_TEXT(hilda_sim_load(&options, &sim), HILDA_SIM_INVALID,
             "error[sim-null]: hilda_sim_options: settings is null, and its count is 2\n"
             "  help: give as many texts, or the count 0\n");
  options.settings = settings;
  ERROR_TEXT(hilda_sim_load(&options, &sim), HILDA_SIM_INVALID,
             "error[sim-null]: hilda_sim_options: settings[1] of 2 is null\n"
             "  help: give as many texts as the count says\n");
  options.setting_count = 1;
  options.solver = "rk5";
  ERROR_TEXT(hilda_sim_load(&options, &sim), HILDA_SIM_INVALID,
             "error[sim-solver]: there is no solver 'rk5'\n"
             "  help: the solvers are rk4, euler, dopri5, rosenbrock, cvode, adams\n");
  CHECK(sim == NULL);
  STATUS(hilda_sim_step(NULL, 1), HILDA_SIM_INVALID);
  STATUS(hilda_sim_interrupt(NULL), HILDA_SIM_INVALID);
  STATUS(hilda_sim_close(NULL), HILDA_SIM_OK);
  sim = load_text(cart);
  ERROR_TEXT(hilda_sim_step(sim, 1), HILDA_SIM_STATE,
             "error[sim-not-started]: the simulation is not started\n"
             "  help: call hilda_sim_start before the first tick\n");
  STATUS(hilda_sim_start(sim), HILDA_SIM_OK);
  ERROR_TEXT(hilda_sim_start(sim), HILDA_SIM_STATE,
             "error[sim-started]: the simulation is started already\n  help: start it once\n");
  ERROR_TEXT(hilda_sim_step(sim, 0), HILDA_SIM_INVALID,
             "error[sim-ticks]: a run cannot take 0 ticks\n  help: give 1 or more\n");
  ERROR_TEXT(hilda_sim_run(sim, -1), HILDA_SIM_INVALID,
             "error[sim-duration]: a run cannot take -1 s\n  help: give a finite time above 0 s\n");
  STATUS(hilda_sim_run(sim, NAN), HILDA_SIM_INVALID);
  STATUS(hilda_sim_find_input(sim, NULL, &input, NULL), HILDA_SIM_INVALID);
  STATUS(hilda_sim_find_input(sim, "push", NULL, NULL), HILDA_SIM_INVALID);
  shape.size = 4;
  STATUS(hilda_sim_find_input(sim, "push", &input, &shape), HILDA_SIM_INVALID);
  STATUS(hilda_sim_time(sim, NULL), HILDA_SIM_INVALID);
  STATUS(hilda_sim_set(sim, "push", NULL), HILDA_SIM_INVALID);
  STATUS(hilda_sim_set_many(sim, NULL, NULL, 1), HILDA_SIM_INVALID);
  STATUS(hilda_sim_set_many(sim, NULL, NULL, 0), HILDA_SIM_OK);
  STATUS(hilda_sim_checkpoint(sim, &number, NULL), HILDA_SIM_INVALID);
  STATUS(hilda_sim_restore(sim, NULL, 0), HILDA_SIM_INVALID);
  STATUS(hilda_sim_begin_log(sim, NULL), HILDA_SIM_INVALID);
  message.size = sizeof message;
  STATUS(hilda_sim_error_at(1, &message), HILDA_SIM_INVALID);
  STATUS(hilda_sim_error_at(0, NULL), HILDA_SIM_INVALID);
  ERROR_TEXT(hilda_sim_get(sim, "pusch", NULL), HILDA_SIM_INVALID,
             "error[sim-null]: text is null\n  help: give a valid pointer: see hilda/embed.h\n");
  STATUS(hilda_sim_close(sim), HILDA_SIM_OK);
}

static void lists_errors(const char* folder) {
  hilda_sim_options options;
  hilda_sim* sim = NULL;
  hilda_sim_input input;
  hilda_sim_message message;
  const char* text = NULL;
  (void)folder;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.diagram = "wrong.xml";
  options.text = "<diagram format=\"1\" name=\"wrong\" period=\"1 ms\">\n"
                 "  <block name=\"a\" type=\"math/Gian\"/>\n"
                 "  <block name=\"b\" type=\"math/Gain\" gain=\"1 furlong\"/>\n"
                 "</diagram>";
  STATUS(hilda_sim_load(&options, &sim), HILDA_SIM_DIAGRAM);
  CHECK(sim == NULL && hilda_sim_error_count() >= 2);
  message.size = sizeof message;
  STATUS(hilda_sim_error_at(0, &message), HILDA_SIM_OK);
  CHECK(message.severity == HILDA_SIM_ERROR && strcmp(message.file, "wrong.xml") == 0 && message.line == 2);
  CHECK(strcmp(message.code, "unknown-type") == 0 && strstr(message.what, "math/Gian") != NULL);
  CHECK(strstr(message.help, "math/Gain") != NULL);
  CHECK(strncmp(message.text, "wrong.xml:2: error[unknown-type]: ", 34) == 0);
  CHECK(strncmp(hilda_sim_error(), message.text, strlen(message.text)) == 0);
  options.text = NULL;
  options.diagram = "there_is_no_such_file.xml";
  STATUS(hilda_sim_load(&options, &sim), HILDA_SIM_DIAGRAM);
  sim = started();
  STATUS(hilda_sim_find_input(sim, "pusch", &input, NULL), HILDA_SIM_DIAGRAM);
  STATUS(hilda_sim_error_at(0, &message), HILDA_SIM_OK);
  CHECK(strcmp(message.code, "unknown-setting") == 0 && strstr(message.help, "'push'") != NULL);
  ERROR_TEXT(hilda_sim_get(sim, "pusch", &text), HILDA_SIM_DIAGRAM,
             "error[unknown-setting]: there is no parameter 'pusch'\n  help: did you mean 'push'?\n");
  STATUS(hilda_sim_set(sim, "push", "1 m"), HILDA_SIM_DIAGRAM);
  STATUS(hilda_sim_close(sim), HILDA_SIM_OK);
}

static int warnings = 0, remarks = 0, busy = 0;

static void listen(void* context, const hilda_sim_message* message) {
  hilda_sim** sim = context;
  double time;
  if (message->severity == HILDA_SIM_WARNING) ++warnings;
  if (message->severity == HILDA_SIM_REMARK) ++remarks;
  if (*sim != NULL && hilda_sim_time(*sim, &time) == HILDA_SIM_BUSY) ++busy;
}

static void tells_warnings(const char* folder) {
  hilda_sim_options options;
  hilda_sim* sim = NULL;
  (void)folder;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.text = "<diagram format=\"1\" name=\"fast\" period=\"1 ms\">"
                 "<block name=\"wave\" type=\"sources/Sine\" amplitude=\"1\" frequency=\"900 Hz\"/></diagram>";
  options.message = listen;
  options.context = &sim;
  STATUS(hilda_sim_load(&options, &sim), HILDA_SIM_OK);
  CHECK(warnings == 1);
  STATUS(hilda_sim_reset(sim), HILDA_SIM_OK);
  CHECK(warnings == 2 && busy == 1); /* its callback may not call it */
  STATUS(hilda_sim_close(sim), HILDA_SIM_OK);
}

static void ends_and_fails(const char* folder) {
  hilda_sim* sim = load_text("<diagram format=\"1\" name=\"end\" period=\"1 ms\">"
                             "<input name=\"x\" default=\"0\"/>"
                             "<block name=\"root\" type=\"math/Sqrt\"/><connect from=\"x\" to=\"root.u\"/></diagram>");
  hilda_sim_input x;
  double number = -1;
  const char* text = "";
  (void)folder;
  STATUS(hilda_sim_start(sim), HILDA_SIM_OK);
  STATUS(hilda_sim_find_input(sim, "x", &x, NULL), HILDA_SIM_OK);
  STATUS(hilda_sim_step(sim, 3), HILDA_SIM_OK);
  STATUS(hilda_sim_ending(sim, &text), HILDA_SIM_OK);
  CHECK(strcmp(text, "") == 0);
  STATUS(hilda_sim_interrupt(sim), HILDA_SIM_OK);
  STATUS(hilda_sim_step(sim, 1000000), HILDA_SIM_INTERRUPTED);
  STATUS(hilda_sim_write(sim, x, &number, 1), HILDA_SIM_OK);
  STATUS(hilda_sim_step(sim, 3), HILDA_SIM_FAILED);
  CHECK(strncmp(hilda_sim_error(), "error[sim-failed]: the run failed at t = 0.003 s: root", 54) == 0);
  STATUS(hilda_sim_ending(sim, &text), HILDA_SIM_OK);
  CHECK(strncmp(text, "at t = 0.003 s: root", 20) == 0);
  STATUS(hilda_sim_step(sim, 3), HILDA_SIM_STATE);
  CHECK(strncmp(hilda_sim_error(), "error[sim-over]: the run ended at t = 0.003 s: root", 51) == 0);
  STATUS(hilda_sim_write(sim, x, &number, 1), HILDA_SIM_STATE);
  STATUS(hilda_sim_reset(sim), HILDA_SIM_OK);
  STATUS(hilda_sim_step(sim, 3), HILDA_SIM_OK);
  STATUS(hilda_sim_close(sim), HILDA_SIM_OK);
}

static void writes_logs(const char* folder) {
  hilda_sim* sim = started();
  char file[4000];
  snprintf(file, sizeof file, "%s/embed.mcap", folder);
  STATUS(hilda_sim_end_log(sim), HILDA_SIM_OK);
  STATUS(hilda_sim_begin_log(sim, file), HILDA_SIM_OK);
  STATUS(hilda_sim_begin_log(sim, file), HILDA_SIM_STATE);
  STATUS(hilda_sim_step(sim, 20), HILDA_SIM_OK);
  STATUS(hilda_sim_end_log(sim), HILDA_SIM_OK);
  STATUS(hilda_sim_begin_log(sim, "/no/such/folder/run.mcap"), HILDA_SIM_FILE);
  CHECK(strstr(hilda_sim_error(), "error[sim-log]: ") != NULL);
  STATUS(hilda_sim_step(sim, 20), HILDA_SIM_OK);
  STATUS(hilda_sim_close(sim), HILDA_SIM_OK);
}

static void put(const char* file, const char* text) {
  FILE* stream = fopen(file, "w");
  if (stream == NULL || fputs(text, stream) < 0 || fclose(stream) != 0)
    fault(__FILE__, __LINE__, "cannot write a file");
}

static void reloads_what_lost_a_block(const char* folder) {
  hilda_sim_options options;
  hilda_sim* sim = NULL;
  hilda_sim_input gain, push;
  const double number = 3;
  char file[4000];
  snprintf(file, sizeof file, "%s/changing.xml", folder);
  put(file,
      "<diagram format=\"1\" name=\"changing\" period=\"1 ms\">\n  <input name=\"push\" default=\"0\"/>\n"
      "  <block name=\"gain\" type=\"math/Gain\" gain=\"2\"/>\n  <connect from=\"push\" to=\"gain.u\"/>\n</diagram>\n");
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.diagram = file;
  STATUS(hilda_sim_load(&options, &sim), HILDA_SIM_OK);
  STATUS(hilda_sim_start(sim), HILDA_SIM_OK);
  STATUS(hilda_sim_find_input(sim, "gain.gain", &gain, NULL), HILDA_SIM_OK);
  STATUS(hilda_sim_step(sim, 5), HILDA_SIM_OK);
  put(file, "<diagram format=\"1\" name=\"changing\" ");
  STATUS(hilda_sim_reload(sim), HILDA_SIM_DIAGRAM);
  STATUS(hilda_sim_write(sim, gain, &number, 1), HILDA_SIM_OK); /* nothing has changed */
  STATUS(hilda_sim_step(sim, 5), HILDA_SIM_OK);
  put(file, "<diagram format=\"1\" name=\"changing\" period=\"1 ms\">\n  <input name=\"push\" default=\"0\"/>\n"
            "  <block name=\"size\" type=\"math/Abs\"/>\n  <connect from=\"push\" to=\"size.u\"/>\n</diagram>\n");
  STATUS(hilda_sim_reload(sim), HILDA_SIM_OK);
  STATUS(hilda_sim_write(sim, gain, &number, 1), HILDA_SIM_GONE);
  STATUS(hilda_sim_find_input(sim, "gain.gain", &gain, NULL), HILDA_SIM_DIAGRAM);
  STATUS(hilda_sim_find_input(sim, "push", &push, NULL), HILDA_SIM_OK);
  STATUS(hilda_sim_write(sim, push, &number, 1), HILDA_SIM_OK);
  STATUS(hilda_sim_close(sim), HILDA_SIM_OK);
}

static void* run_without_end(void* sim) {
  int status = HILDA_SIM_BUSY;
  while (status == HILDA_SIM_BUSY) status = hilda_sim_step(sim, INT64_MAX); /* the other thread asked just now */
  STATUS(status, HILDA_SIM_INTERRUPTED);
  return NULL;
}

/* A second thread comes while it runs: it is kept out, and may interrupt. */
static void serves_one_thread(const char* folder) {
  hilda_sim* sim = started();
  pthread_t runs;
  int64_t tick = 0;
  (void)folder;
  pthread_create(&runs, NULL, run_without_end, sim);
  while (hilda_sim_tick(sim, &tick) != HILDA_SIM_BUSY) {}
  CHECK(strcmp(hilda_sim_error(),
               "error[sim-busy]: another call runs in this simulation\n"
               "  help: call it from one thread at a time, and not from its message callback\n") == 0);
  STATUS(hilda_sim_close(sim), HILDA_SIM_BUSY);
  STATUS(hilda_sim_interrupt(sim), HILDA_SIM_OK);
  pthread_join(runs, NULL);
  STATUS(hilda_sim_step(sim, 1), HILDA_SIM_OK);
  STATUS(hilda_sim_close(sim), HILDA_SIM_OK);
}

int main(int count, char** words) {
  static const struct {
    const char* name;
    void (*run)(const char* folder);
  } all[] = {{"writes_and_reads", writes_and_reads},
             {"goes_back_to_checkpoints", goes_back_to_checkpoints},
             {"refuses_wrong_numbers", refuses_wrong_numbers},
             {"refuses_handles_of_others", refuses_handles_of_others},
             {"refuses_wrong_arguments", refuses_wrong_arguments},
             {"lists_errors", lists_errors},
             {"tells_warnings", tells_warnings},
             {"ends_and_fails", ends_and_fails},
             {"writes_logs", writes_logs},
             {"reloads_what_lost_a_block", reloads_what_lost_a_block},
             {"serves_one_thread", serves_one_thread},
             {"puts_signals_back", puts_signals_back},
             {"puts_the_folder_back", puts_the_folder_back},
             {"finds_what_a_single_tick_took", finds_what_a_single_tick_took},
             {"watches_long_calls_after_many_short_ones", watches_long_calls_after_many_short_ones}};
  size_t i;
  if (count != 2) return 64;
  for (i = 0; i < sizeof all / sizeof *all; ++i) {
    const int before = faults;
    all[i].run(words[1]);
    printf("%s %s\n", faults == before ? "passed" : "FAILED", all[i].name);
  }
  return faults == 0 ? 0 : 1;
}
