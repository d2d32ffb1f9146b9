// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/exit_guard.h"

#include "engine/plugin/running_code.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <sys/syscall.h>
#include <unistd.h>

namespace hilda::plugin {
namespace {

constexpr int before_the_loop = 2, failed_run = 3;
std::atomic<bool> guarded{false}, left_to_program{false};

/// A phase that comes after the first tick.
bool is_late(const RunningThread& thread, const char* phase) {
  for (const char* each : {"stop", "summarize", "destroy"})
    if (std::strcmp(phase, each) == 0) return true;
  const RunningLoop* loop = thread.loop();
  return loop != nullptr && loop->running_code().phase != nullptr;
}

/// Plain writes: the plugin may have been anywhere.
void write_words(std::initializer_list<const char*> words) {
  for (const char* each : words)
    if (each != nullptr && write(STDERR_FILENO, each, std::strlen(each)) < 0) return;
}

/// Returns where no plugin is at work on this thread: the program itself ends.
void refuse(const char* function) {
  const RunningThread* thread = RunningThread::find();
  const RunningCode code = thread != nullptr && !left_to_program ? thread->code() : RunningCode{};
  if (!code) return;
  write_words({"error: the plugin ends the program by ", function, " in "});
  if (code.block != nullptr)
    write_words({"block ", code.block, " (", code.type, "), in ", code.phase});
  else
    write_words({code.phase});
  write_words({"\n  plugin ", code.plugin,
               "\nhelp: a block reports what is wrong and returns; only the program may end the process\n"});
  while (true) syscall(SYS_exit_group, is_late(*thread, code.phase) ? failed_run : before_the_loop);
}

} // namespace

void guard_exits() {
  if (guarded.exchange(true)) return;
  on_exit([](int, void*) { refuse("exit"); }, nullptr);
  at_quick_exit([] { refuse("quick_exit"); });
}

void leave_exits_to_program() { left_to_program = true; }

} // namespace hilda::plugin
