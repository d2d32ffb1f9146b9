#include "tools/cli/crash.h"

#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <exception>
#include <execinfo.h>
#include <initializer_list>
#include <unistd.h>

namespace hilda::cli {
namespace {

constexpr std::array faults{SIGSEGV, SIGBUS, SIGFPE, SIGILL};
std::array<struct sigaction, faults.size()> before;
std::terminate_handler terminate_before = nullptr;

/// NAME.so, as plugins are called and no library of the system.
bool is_plugin(const char* file) {
  const char* slash = std::strrchr(file, '/');
  const char* name = slash != nullptr ? slash + 1 : file;
  const std::size_t length = std::strlen(name);
  return length > 3 && std::strcmp(name + length - 3, ".so") == 0 && std::strncmp(name, "lib", 3) != 0;
}

/// File of the innermost plugin on this thread's stack; null where none is.
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

/// Plain writes: nothing may be allocated here.
void say(std::initializer_list<const char*> words) {
  for (const char* each : words)
    if (write(STDERR_FILENO, each, std::strlen(each)) < 0) return;
}

void say_where(const char* what, const char* plugin) {
  say({"error: ", what, " in a block of ", plugin, "\nhelp: hilda test-plugin ", plugin, " finds which, and when\n"});
}

const char* name_of(int fault) {
  switch (fault) {
  case SIGSEGV: return "segmentation fault";
  case SIGBUS: return "bus error";
  case SIGFPE: return "arithmetic fault";
  default: return "illegal instruction";
  }
}

extern "C" void on_crash(int fault) {
  for (std::size_t i = 0; i < faults.size(); ++i)
    if (faults[i] == fault) sigaction(fault, &before[i], nullptr);
  if (const char* plugin = plugin_on_stack()) say_where(name_of(fault), plugin);
  std::raise(fault); // comes when this handler is left, under the handler from before
}

[[noreturn]] void on_terminate() {
  if (const char* plugin = plugin_on_stack()) {
    say_where("an exception that nobody caught", plugin);
    try {
      if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
    } catch (const std::exception& thrown) { say({"  it says: ", thrown.what(), "\n"}); } catch (...) {
      say({"  it is no std::exception\n"});
    }
    std::abort();
  }
  if (terminate_before != nullptr) terminate_before();
  std::abort();
}

} // namespace

void tell_of_crashes() {
  void* frame = nullptr;
  backtrace(&frame, 1); // the first call loads what it needs
  terminate_before = std::set_terminate(&on_terminate);
  struct sigaction action = {};
  action.sa_handler = &on_crash;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < faults.size(); ++i) sigaction(faults[i], &action, &before[i]);
}

} // namespace hilda::cli
