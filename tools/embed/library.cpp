// SPDX-License-Identifier: BSD-3-Clause
#include "tools/embed/library.h"

#include "engine/session/program_abilities.h"

#include <dlfcn.h>

namespace hilda::embed {
namespace {

std::mutex& loading() {
  static std::mutex lock;
  return lock;
}

const char* own_file() {
  Dl_info library{};
  return dladdr(reinterpret_cast<const void*>(&own_file), &library) != 0 ? library.dli_fname : "";
}

} // namespace

LibraryUse::LibraryUse() : lock_(loading()) {}

Installation& LibraryUse::installation() const {
  static Installation found(own_file(), program_abilities());
  return found;
}

} // namespace hilda::embed
