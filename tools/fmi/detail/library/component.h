// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/fmi/detail/model/instance.h"
#include "tools/modules.h"

#include <cstdint>
#include <exception>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <string>

namespace hilda::fmi {

/// What FMI 3.0 gives for messages.
using LoggerOfThree = void (*)(void* environment, int status, const char* category, const char* text);

/// A value reference, in both versions of the standard.
using Reference = std::uint32_t;

/// What the importer holds by a pointer: an instance, and how errors are reported. Version 2 and 3 of the standard
/// number their statuses alike.
struct Component {
  static constexpr int ok = 0, warning = 1, discard = 2, error = 3;

  std::unique_ptr<Instance> instance;
  std::function<void(int status, const char* category, const std::string& text)> log;
  bool ended = false; ///< by a block: the last step

  /// Calls `body`; what it throws goes to the importer's log. No exception leaves.
  template <class Body> int guarded(const char* function, Body&& body) noexcept {
    try {
      const int status = body();
      return instance ? with_changes(function, status) : status;
    } catch (const Refused& refused) { return tell(function, refused.text); } catch (const std::exception& thrown) {
      return tell(function, thrown.what());
    } catch (...) { return tell(function, "what is not a std::exception was thrown"); }
  }
  int tell(const char* function, const std::string& text) noexcept {
    try {
      log(error, "logStatusError", fmt::format("{}: {}", function, text));
    } catch (...) {} // the importer's own
    return error;
  }
  /// Where plugins have changed something of the importer's process: it goes to the log, and what went well is a
  /// warning.
  int with_changes(const char* function, int status);
  /// Loads the FMU's diagram; its warnings go to the log.
  int open(const char* function, const char* name, const char* resources, const char* token, bool warn) noexcept;
};

/// A call without an instance has no logger to report to.
template <class Body> int on(void* component, const char* function, Body&& body) noexcept {
  if (component == nullptr) return Component::error;
  auto& its = *static_cast<Component*>(component);
  return its.guarded(function, [&] { return body(its); });
}

Refused not_offered();
/// The standard requires every function to be there; this kind of FMU does not offer this one.
inline int not_offered(void* component, const char* function) noexcept {
  return on(component, function, [](Component&) -> int { throw not_offered(); });
}

/// A pointer of the importer's.
template <class T> T* needed(T* pointer, std::size_t count, const char* what) {
  if (pointer == nullptr && count > 0)
    throw refusal("fmi-null", fmt::format("{} is a null pointer for {} values", what, count),
                  "give an array of that size");
  return pointer;
}

// States of an FMU; both versions of the standard have these functions. The importer holds a state by a pointer.
int save_state(void* component, const char* function, void** state) noexcept;
int restore_state(void* component, const char* function, void* state) noexcept;
int free_state(void* component, const char* function, void** state) noexcept;
int state_size(void* component, const char* function, void* state, std::size_t* size) noexcept;
int pack_state(void* component, const char* function, void* state, void* bytes, std::size_t size) noexcept;
int unpack_state(void* component, const char* function, const void* bytes, std::size_t size, void** state) noexcept;

} // namespace hilda::fmi
