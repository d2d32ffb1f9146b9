// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "engine/modules.h"
#include "engine/plugin/block_fault.h"

#include <span>
#include <vector>

namespace hilda::run {

/// How a type that keeps its state elsewhere saves it, or null.
inline const hilda_state_1* external_state(const BlockType& type) {
  if ((type.abi->flags & HILDA_EXTERNAL_STATE) == 0 || type.abi->extension == nullptr) return nullptr;
  return static_cast<const hilda_state_1*>(type.abi->extension("hilda.state/1"));
}

/// The state of a block as it saves it. Throws BlockFault.
inline std::vector<unsigned char> save_external(const SystemBlock& block, const hilda_state_1& state, void* record) {
  std::vector<unsigned char> bytes;
  call_block(block, "save_state", [&] {
    bytes.resize(state.save(record, nullptr, 0));
    state.save(record, bytes.data(), bytes.size());
  });
  return bytes;
}

/// False where the block does not take it. Throws BlockFault.
inline bool load_external(const SystemBlock& block, const hilda_state_1& state, void* record,
                          std::span<const unsigned char> bytes) {
  bool taken = false;
  call_block(block, "load_state", [&] { taken = state.load(record, bytes.data(), bytes.size()) == 0; });
  return taken;
}

} // namespace hilda::run
