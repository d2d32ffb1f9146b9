// SPDX-License-Identifier: BSD-3-Clause
// bin/hilda: opens libhilda.so (by its soname, HILDA_LIBRARY), which is all the rest and which Python's module uses
// too. A copy of bin/hilda is the beginning of a compiled program, and opens what is in its own file.
//
// Plugins look for names in the program first. There they find its mathematical functions (cmake/LinkMathematics.cmake)
// and its own _exit; the names of the library, which is opened for the program alone, they do not see.
#include "tools/cli/commands.h"
#include "tools/cli/compiled_head.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

constexpr int exit_failed = 3;
constexpr int unknown = -1;
decltype(&hilda_refuse_exit) refuse_exit = nullptr;
int own_code = unknown; ///< what the program ends with, once its work is done

void* open_library() {
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  const std::string file = program.parent_path().parent_path() / "lib" / "hilda" / HILDA_LIBRARY;
  return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
}

/// Plain writes: a handler of exit() may have closed what it likes.
void say(const char* words) {
  if (write(STDERR_FILENO, words, std::strlen(words)) < 0) return;
}

/// The work is done, and something ends the program with another code: the code of the work is kept.
[[noreturn]] void keep_own_code(const char* who) {
  std::fflush(nullptr);
  char codes[64];
  std::snprintf(codes, sizeof codes, "; the exit code stays %d\n", own_code);
  say("error: ");
  say(who != nullptr ? who : "a library");
  say(" changes the exit code in a handler of exit()");
  say(codes);
  say("help: a plugin leaves the end of the program to the program: take the call of exit or _exit away\n");
  while (true) syscall(SYS_exit_group, own_code);
}

/// Runs as the last handler of exit(), as it is the first that is registered.
void look_at_code(int code, void*) {
  if (own_code != unknown && code != own_code) keep_own_code(nullptr);
}

[[noreturn]] void end(const char* function, int code, const void* caller) {
  if (refuse_exit != nullptr) refuse_exit(function);
  Dl_info found{};
  const bool named = dladdr(caller, &found) != 0;
  if (own_code != unknown && code != own_code) keep_own_code(named ? found.dli_fname : nullptr);
  while (true) syscall(SYS_exit_group, code);
}

void take_exits(void* library) {
  refuse_exit = reinterpret_cast<decltype(refuse_exit)>(dlsym(library, "hilda_refuse_exit"));
}

} // namespace

extern "C" {
// That they do not return, their declarations say.
void _exit(int code) { end("_exit", code, __builtin_return_address(0)); }
void _Exit(int code) noexcept {
  end("_Exit", code, __builtin_return_address(0));
} // NOLINT(bugprone-reserved-identifier)
/// Asked by the AddressSanitizer of a plugin that was built with it: its own exit code is 1, which means "not equal".
const char* __asan_default_options();                         // NOLINT(bugprone-reserved-identifier)
const char* __asan_default_options() { return "exitcode=3"; } // NOLINT(bugprone-reserved-identifier)
}

int main(int count, char** arguments) {
  on_exit(look_at_code, nullptr);
  if (hilda::cli::is_compiled_program())
    return own_code = hilda::cli::run_compiled_program(count, arguments, take_exits);
  void* library = open_library();
  if (library == nullptr) {
    std::fprintf(stderr, "error: %s\nhelp: hilda is installed as a whole: bin, lib and share next to each other\n",
                 dlerror());
    return exit_failed;
  }
  take_exits(library);
  return own_code = reinterpret_cast<decltype(&hilda_run)>(dlsym(library, "hilda_run"))(count, arguments);
}
