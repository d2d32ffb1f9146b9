// SPDX-License-Identifier: BSD-3-Clause
#include "python/interpreter/crash_note.h"

#include "engine/plugin/alternate_stack.h"
#include "engine/plugin/exit_guard.h"
#include "engine/plugin/running_code.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace hilda::python {
namespace {

int note = -1;

void write_text(const char* text) {
  if (text == nullptr) text = "";
  if (write(note, text, std::strlen(text)) < 0) return;
}

/// Plain writes: nothing may be allocated here.
void write_note() {
  const RunningThread* thread = RunningThread::find();
  const RunningCode code = thread != nullptr ? thread->code() : RunningCode{};
  if (!code) return;
  const char* const columns[] = {code.plugin, "\t", code.block, "\t", code.type, "\t", code.phase};
  for (const char* each : columns) write_text(each);
}

extern "C" void on_python_crash(int fault) {
  write_note();
  std::signal(fault, SIG_DFL);
  std::raise(fault);
}

} // namespace

void note_crashes(int descriptor) {
  leave_exits_to_program();
  note = descriptor;
  RunningThread::mine();
  static const AlternateStack for_handlers;
  struct sigaction action = {};
  action.sa_handler = &on_python_crash;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigaction(fault, &action, nullptr);
  on_exit([](int, void*) { write_note(); }, nullptr);
}

} // namespace hilda::python
