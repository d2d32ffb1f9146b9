// SPDX-License-Identifier: BSD-3-Clause
// States that importers hold, by pointers that are looked at before they are used.
#include "tools/fmi/detail/library/component.h"

#include <cstring>
#include <mutex>
#include <set>

namespace hilda::fmi {
namespace {

/// Those that are neither freed nor invented, of all instances.
class States {
public:
  void* add(std::unique_ptr<State> state) {
    const std::scoped_lock lock(lock_);
    return all_.insert(state.get()).second ? state.release() : nullptr;
  }
  /// Null is left alone.
  void remove(void* state) {
    if (state == nullptr) return;
    {
      const std::scoped_lock lock(lock_);
      if (all_.erase(state) == 0) throw unknown();
    }
    delete static_cast<State*>(state);
  }
  const State& at(void* state) const {
    const std::scoped_lock lock(lock_);
    if (!all_.contains(state)) throw unknown();
    return *static_cast<const State*>(state);
  }

private:
  static Refused unknown() {
    return refusal("fmi-state", "the pointer is not one to a state of this FMU, or the state was freed",
                   "give a pointer that GetFMUState or DeserializeFMUState has given");
  }
  mutable std::mutex lock_;
  std::set<void*> all_;
};

States& states() {
  static States& all = *new States; // to the end of the process
  return all;
}

} // namespace

int save_state(void* component, const char* function, void** state) noexcept {
  return on(component, function, [&](Component& its) {
    needed(state, 1, "the pointer to a state");
    auto saved = std::make_unique<State>(its.instance->state());
    states().remove(*state);
    *state = states().add(std::move(saved));
    return Component::ok;
  });
}

int restore_state(void* component, const char* function, void* state) noexcept {
  return on(component, function, [&](Component& its) {
    its.instance->put(states().at(state));
    its.ended = false;
    return Component::ok;
  });
}

int free_state(void* component, const char* function, void** state) noexcept {
  return on(component, function, [&](Component&) {
    if (state == nullptr) return Component::ok;
    states().remove(*state);
    *state = nullptr;
    return Component::ok;
  });
}

int state_size(void* component, const char* function, void* state, std::size_t* size) noexcept {
  return on(component, function, [&](Component&) {
    *needed(size, 1, "size") = states().at(state).packed().size();
    return Component::ok;
  });
}

int pack_state(void* component, const char* function, void* state, void* bytes, std::size_t size) noexcept {
  return on(component, function, [&](Component&) {
    const std::string packed = states().at(state).packed();
    if (size < packed.size())
      throw refusal("fmi-count",
                    fmt::format("the serialized state takes {} bytes, and there is room for {}", packed.size(), size),
                    "ask for its size first");
    std::memcpy(needed(bytes, size, "serializedState"), packed.data(), packed.size());
    return Component::ok;
  });
}

int unpack_state(void* component, const char* function, const void* bytes, std::size_t size, void** state) noexcept {
  return on(component, function, [&](Component&) {
    needed(state, 1, "the pointer to a state");
    const auto* text = static_cast<const char*>(needed(bytes, size, "serializedState"));
    *state = states().add(std::make_unique<State>(State::unpacked({text, size})));
    return Component::ok;
  });
}

} // namespace hilda::fmi
