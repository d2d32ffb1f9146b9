// Throws before anybody can catch it.
#include <hilda/abi.h>
#include <stdexcept>

namespace {
struct Early {
  Early() { throw std::runtime_error("no licence found"); }
} early;
} // namespace

extern "C" HILDA_EXPORT const hilda_plugin* hilda_plugin_entry() { return nullptr; }
