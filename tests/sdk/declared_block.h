// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstring>
#include <hilda/block.h>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace hilda::test {

/// A block outside of the engine, and what its members declare.
template <typename B> class DeclaredBlock {
public:
  DeclaredBlock() {
    declaration_.base = place_;
    detail::recording = &declaration_;
    block_ = new (place_) B;
    detail::recording = nullptr;
  }
  ~DeclaredBlock() { block_->~B(); }
  DeclaredBlock(const DeclaredBlock&) = delete;
  DeclaredBlock& operator=(const DeclaredBlock&) = delete;

  B& operator*() { return *block_; }
  B* operator->() { return block_; }
  const std::vector<hilda_slot>& slots() const { return declaration_.slots; }
  const hilda_slot& slot(const std::string& name) const {
    for (const hilda_slot& each : declaration_.slots)
      if (name == each.name) return each;
    throw std::runtime_error("no slot " + name);
  }
  /// Writes into the record as the engine does: where a value or an array lies, how many views there are, an index.
  template <typename T> void put(const std::string& name, const T& value) { put_at(slot(name).offset, value); }
  template <typename T> void put_at(std::uint64_t offset, const T& value) {
    std::memcpy(place_ + offset, &value, sizeof value);
  }

private:
  detail::Declaration declaration_;
  alignas(B) std::byte place_[sizeof(B)];
  B* block_ = nullptr;
};

} // namespace hilda::test
