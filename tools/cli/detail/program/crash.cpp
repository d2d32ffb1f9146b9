// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/program/crash.h"

#include "engine/plugin/alternate_stack.h"
#include "engine/plugin/exit_guard.h"
#include "engine/plugin/last_call.h"
#include "engine/plugin/loaded_files.h"
#include "engine/plugin/running_code.h"
#include "tools/cli/detail/program/command.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <exception>
#include <execinfo.h>
#include <optional>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <utility>

namespace hilda::cli {
namespace {

constexpr std::array faults{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
std::array<struct sigaction, faults.size()> before;
std::terminate_handler terminate_before = nullptr;
std::atomic<void (*)(int)> from_outside{nullptr};

/// The progress of the last message: a fault within it is not reported, except for one that is provoked.
enum Stage : int { sound, telling, provoking, told };
std::atomic<int> stage{sound};
const RunningLoop* provoked_loop = nullptr;

/// NAME.so, as plugins are called and no library of the system.
bool is_plugin(const char* file) {
  const char* slash = std::strrchr(file, '/');
  const char* name = slash != nullptr ? slash + 1 : file;
  const std::size_t length = std::strlen(name);
  return length > 3 && std::strcmp(name + length - 3, ".so") == 0 && std::strncmp(name, "lib", 3) != 0;
}

/// File of the innermost plugin on this thread's stack, where there is no mark: in a thread that a plugin has created.
const char* plugin_on_stack() {
  std::array<void*, 64> frames;
  const int count = backtrace(frames.data(), static_cast<int>(frames.size()));
  for (int i = 0; i < count; ++i) {
    Dl_info found;
    if (dladdr(frames[static_cast<std::size_t>(i)], &found) != 0 && found.dli_fname != nullptr &&
        is_plugin(found.dli_fname))
      return found.dli_fname;
  }
  return nullptr;
}

/// Where the stack ended; none where that is not known of the processor.
std::optional<std::uintptr_t> stack_pointer([[maybe_unused]] const void* context) {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return static_cast<std::uintptr_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.sp);
#else
  return std::nullopt;
#endif
}

const char* name_of(int fault, const siginfo_t* info, const void* context) {
  switch (fault) {
  case SIGSEGV: {
    const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
    constexpr std::uintptr_t reach = std::uintptr_t{1} << 16;
    const std::optional<std::uintptr_t> top = stack_pointer(context);
    if (top && info->si_code > 0 && at + reach > *top && at < *top + reach) return "stack overflow";
    return "segmentation fault";
  }
  case SIGBUS: return "bus error";
  case SIGFPE: return "arithmetic fault";
  case SIGILL: return "illegal instruction";
  case SIGABRT: return "abort";
  case SIGTRAP: return "trap";
  default: return "bad system call";
  }
}

RunningCode running_here() {
  const RunningThread* thread = RunningThread::find();
  return thread != nullptr ? thread->code() : RunningCode{};
}

void say_when(const RunningLoop* loop) {
  if (loop == nullptr) return;
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), ", at t = %.9g s", loop->loop_time());
  say({text.data()});
}

/// Was a plugin written into while it is loaded? Then that is the cause, in whatever code the crash is.
bool say_overwritten() {
  const char* const file = overwritten_file();
  if (file == nullptr) return false;
  say({"\n  the file ", file, " changed since it was loaded\n",
       "help: restart hilda; install a plugin under another name and rename it (mv), not by cp over the old one\n"});
  return true;
}

void advise(const RunningCode& code, const RunningLoop* loop) {
  if (say_overwritten()) return;
  const RunningCode culprit = loop != nullptr ? loop->overrun() : RunningCode{};
  if (culprit.block != nullptr)
    return say({"\n  block ", culprit.block, " (", culprit.type,
                ") has written beyond its own memory before that\n  plugin ", culprit.plugin,
                "\nhelp: hilda check --audit names the phase in which it does\n"});
  say({"\n  plugin ", code.plugin, "\nhelp: "});
  if (loop != nullptr)
    say({"another block may have written into its memory: hilda check --audit names one that does; if it names "
         "none, "});
  say({"hilda test-plugin ", code.plugin, " finds which check it fails\n"});
}

/// Of several equal blocks in one call: they are called again one by one until it happens again, on a separate
/// stack, for this one is short.
void provoke(RunningThread& thread) {
  std::signal(SIGALRM, SIG_DFL);
  alarm(2);
  provoked_loop = thread.loop();
  stage = provoking;
  pthread_t again;
  const auto call = [](void* loop) -> void* {
    const AlternateStack for_handlers;
    static_cast<RunningLoop*>(loop)->call_one_by_one();
    return nullptr;
  };
  if (pthread_create(&again, nullptr, call, thread.loop()) == 0) pthread_join(again, nullptr);
}

/// No plugin is at work. One that was may have left damaged memory behind.
void tell_of_hilda(const char* what) {
  say({"error: ", what, " in hilda itself"});
  if (say_overwritten()) return;
  say({"\nhelp: report it with the diagram and this command; no plugin is at work"});
  if (*last_call() != '\0')
    say({"; the last that was: ", last_call(),
         "; hilda check --audit finds a block that writes into what is not its own"});
  say({"\n"});
}

/// A fault within the last words: what they would be read from is damaged too.
void tell_of_damage(const char* what) {
  stage = told;
  say({"error: ", what,
       ", and what would name the block is damaged too\n"
       "help: a block writes into what is not its own; hilda check --audit names it\n"});
}

/// What happened, and whose fault it was.
void tell(const char* what) {
  if (stage.exchange(telling) != sound) return;
  RunningThread* thread = RunningThread::find();
  const RunningCode code = running_here();
  if (!code) {
    if (const char* plugin = plugin_on_stack()) {
      say({"error: ", what, " in the plugin ", plugin});
      if (!say_overwritten()) say({"\nhelp: hilda test-plugin ", plugin, " finds which block\n"});
    } else
      tell_of_hilda(what);
    stage = told;
    return;
  }
  const RunningLoop* loop = std::as_const(*thread).loop();
  const bool in_loop = loop != nullptr && loop->running_code().phase != nullptr;
  say({"error: ", what, " in "});
  say_who(code);
  if (in_loop) say_when(loop);
  if (in_loop && (code.count > 1 || std::strstr(code.phase, " or ") != nullptr)) {
    say({"\n"});
    provoke(*thread);
    alarm(0);
    say({"  it does not happen again when these blocks are called one by one"});
  }
  advise(code, in_loop ? loop : nullptr);
  stage = told;
}

/// Within provoke: the culprit is known now.
void tell_provoked() {
  const RunningCode code = provoked_loop->running_code();
  alarm(0);
  say({"  when they are called one by one, it is "});
  say_who(code);
  advise(code, provoked_loop);
  stage = told;
}

void die_of(int fault) {
  for (std::size_t i = 0; i < faults.size(); ++i)
    if (faults[i] == fault) sigaction(fault, &before[i], nullptr);
  sigset_t own;
  sigemptyset(&own);
  sigaddset(&own, fault);
  pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
  std::raise(fault);
}

extern "C" void on_crash(int fault, siginfo_t* info, void* context) {
  const bool sent = info->si_code == SI_USER || info->si_code == SI_QUEUE;
  if (sent && info->si_pid != getpid())
    if (void (*const handler)(int) = from_outside.load()) return handler(fault);
  if (stage == provoking) {
    tell_provoked();
  } else if (stage == telling && !sent) {
    tell_of_damage(name_of(fault, info, context));
  } else if (stage == sound && !(sent && info->si_pid != getpid())) {
    tell(name_of(fault, info, context));
  }
  die_of(fault);
}

[[noreturn]] void on_terminate() {
  const char* said = "an exception that is not a std::exception";
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
    said = nullptr;
  } catch (const std::exception& thrown) { said = thrown.what(); } catch (...) {
  }
  if (running_here() || plugin_on_stack() != nullptr) {
    tell("an exception that no one caught");
    if (said != nullptr) say({"  it says: ", said, "\n"});
    std::abort();
  }
  if (terminate_before != nullptr) terminate_before();
  std::abort();
}

/// A phase that comes after the run.
bool is_last(const char* phase) {
  for (const char* each : {"stop", "summarize", "destroy"})
    if (std::strcmp(phase, each) == 0) return true;
  return false;
}

} // namespace

void refuse_exit(const char* function) {
  if (stage == provoking) {
    tell_provoked();
    syscall(SYS_exit_group, exit_failed_run);
  }
  const RunningCode code = running_here();
  if (!code) return;
  {
    std::array<char, 96> what;
    std::snprintf(what.data(), what.size(), "the plugin ends the program by %s", function);
    tell(what.data());
  }
  const RunningThread* thread = RunningThread::find();
  const RunningLoop* loop = thread != nullptr ? thread->loop() : nullptr;
  const bool ran = (loop != nullptr && loop->running_code().phase != nullptr) || is_last(code.phase);
  syscall(SYS_exit_group, ran ? exit_failed_run : exit_bad_file);
}

void say(std::initializer_list<const char*> words) {
  // Plain writes: nothing may be allocated here.
  for (const char* each : words)
    if (each != nullptr && write(STDERR_FILENO, each, std::strlen(each)) < 0) return;
}

void say_who(const RunningCode& code) {
  if (code.block == nullptr) return say({"the plugin ", code.plugin, ", in ", code.phase});
  if (code.count > 1) {
    std::array<char, 32> count;
    std::snprintf(count.data(), count.size(), "%llu", static_cast<unsigned long long>(code.count));
    say({"one of ", count.data(), " blocks, ", code.block, " (", code.type, ") and the next of its type, in ",
         code.phase});
  } else {
    say({"block ", code.block, " (", code.type, "), in ", code.phase});
  }
}

void on_signal_from_outside(void (*handler)(int)) { from_outside = handler; }

void tell_of_crashes() {
  leave_exits_to_program();
  void* frame = nullptr;
  backtrace(&frame, 1); // the first call loads what it needs
  RunningThread::mine();
  static const AlternateStack for_handlers;
  terminate_before = std::set_terminate(&on_terminate);
  struct sigaction action = {};
  action.sa_sigaction = &on_crash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < faults.size(); ++i) sigaction(faults[i], &action, &before[i]);
  for (int i = 0; i < 2; ++i) { // the second is for an exit that is provoked within the first
    on_exit([](int, void*) { refuse_exit("exit"); }, nullptr);
    at_quick_exit([] { refuse_exit("quick_exit"); });
  }
}

} // namespace hilda::cli
