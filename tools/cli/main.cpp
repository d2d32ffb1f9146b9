// bin/hilda: opens libhilda.so (by its soname, HILDA_LIBRARY), which is all the rest and which Python's module uses
// too.
//
// Plugins look for names in the program first. There they find its mathematical functions (cmake/LinkMathematics.cmake)
// and its own _exit; the names of the library, which is opened for the program alone, they do not see.
#include "tools/cli/commands.h"

#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

constexpr int exit_failed = 3;
decltype(&hilda_refuse_exit) refuse_exit = nullptr;

void* open_library() {
  std::error_code failed;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
  const std::string file = program.parent_path().parent_path() / "lib" / "hilda" / HILDA_LIBRARY;
  return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
}

[[noreturn]] void end(const char* function, int code) {
  if (refuse_exit != nullptr) refuse_exit(function);
  while (true) syscall(SYS_exit_group, code);
}

} // namespace

extern "C" {
void _exit(int code) { end("_exit", code); }          // that it does not return, its declaration says
void _Exit(int code) noexcept { end("_Exit", code); } // NOLINT(bugprone-reserved-identifier)
/// Asked by the AddressSanitizer of a plugin that was built with it: its own exit code is 1, which means "not equal".
const char* __asan_default_options();
const char* __asan_default_options() { return "exitcode=3"; } // NOLINT(bugprone-reserved-identifier)
}

int main(int count, char** arguments) {
  void* library = open_library();
  if (library == nullptr) {
    std::fprintf(stderr, "error: %s\nhelp: hilda is installed as a whole: bin, lib and share next to each other\n",
                 dlerror());
    return exit_failed;
  }
  refuse_exit = reinterpret_cast<decltype(refuse_exit)>(dlsym(library, "hilda_refuse_exit"));
  return reinterpret_cast<decltype(&hilda_run)>(dlsym(library, "hilda_run"))(count, arguments);
}
