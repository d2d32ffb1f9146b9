// SPDX-License-Identifier: BSD-3-Clause
// Throws before anyone can catch it.
#include <hilda/abi.h>
#include <new>
#include <stdexcept>

namespace {
struct Early {
#ifdef WITHOUT_MEMORY
  Early() { throw std::bad_alloc(); }
#else
  Early() { throw std::runtime_error("no licence found"); }
#endif
} early;
} // namespace

extern "C" HILDA_EXPORT const hilda_plugin* hilda_plugin_entry() { return nullptr; }
