// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/detail/library/loading_guard.h"

#include "engine/base/diagnostic.h"

#include <cstdio>
#include <cstdlib>
#include <new>
#include <sys/syscall.h>
#include <unistd.h>

namespace hilda::plugin {
namespace {

// A terminate handler gets no argument, so the file is here; plugins are loaded by one thread at a time.
const std::string* loading = nullptr;

std::string thrown() {
  try {
    if (const std::exception_ptr current = std::current_exception()) std::rethrow_exception(current);
    return "it calls std::terminate";
  } catch (const std::bad_alloc&) {
    throw; // no fault of the plugin
  } catch (const std::exception& e) { return std::string("an exception leaves it: ") + e.what(); } catch (...) {
    return "an exception leaves it that is not a std::exception";
  }
}

void tell() {
  Diagnostics diagnostics;
  diagnostics.error("plugin-terminates", {loading, 0}, "the plugin ends the program while it is loaded: " + thrown(),
                    "constructors of static objects and of blocks must not throw: leave what can fail to configure()");
  std::fputs(diagnostics.text().c_str(), stderr);
}

[[noreturn]] void end_with_diagnostic() {
  try {
    tell();
  } catch (...) { // there is no room for a diagnostic
    std::fprintf(stderr,
                 "error: there is no more memory, while the plugin %s is loaded\nhelp: allow the program more\n",
                 loading->c_str());
  }
  std::fflush(nullptr);
  while (true) syscall(SYS_exit_group, 2); // at once: the message is out
}

} // namespace

LoadingGuard::LoadingGuard(const std::string& file) : before_(std::set_terminate(&end_with_diagnostic)) {
  loading = &file;
}

LoadingGuard::~LoadingGuard() {
  std::set_terminate(before_);
  loading = nullptr;
  mode_.restore();
}

} // namespace hilda::plugin
