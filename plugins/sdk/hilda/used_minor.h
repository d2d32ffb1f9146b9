// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_USED_MINOR_H
#define HILDA_USED_MINOR_H

// Which minor version of the boundary a plugin's table needs: programs of that version and newer ones take the plugin.

#include <cstddef>
#include <cstdint>
#include <hilda/abi.h>

namespace hilda {
inline namespace sdk1 {
namespace detail {

/// Flags that version 1.0 knows. A program refuses what it does not know by name.
inline constexpr std::uint32_t slot_flags_of_1_0 = (1u << 19) - 1;
inline constexpr std::uint32_t type_flags_of_1_0 = (1u << 4) - 1;

/// Item `index` of a table whose items grow at their end.
template <typename T> const T& entry(const T* first, std::size_t stride, std::size_t index) {
  return *reinterpret_cast<const T*>(reinterpret_cast<const unsigned char*>(first) + index * stride);
}

inline bool needs_1_1(const hilda_slot& slot) {
  return (slot.flags & ~slot_flags_of_1_0) != 0 || (slot.role == HILDA_WORK && (slot.flags & HILDA_CROSSING) != 0);
}

inline bool needs_1_1(const hilda_block_type& type) {
  if ((type.flags & ~type_flags_of_1_0) != 0) return true;
  if (type.size >= offsetof(hilda_block_type, fault) + sizeof type.fault && type.fault != nullptr) return true;
  if (type.size >= offsetof(hilda_block_type, event) + sizeof type.event && type.event != nullptr) return true;
  for (std::uint32_t i = 0; i < type.slot_count; ++i)
    if (needs_1_1(entry(type.slots, type.slot_stride, i))) return true;
  return false;
}

/// Members and flags that are used decide, not the headers that the plugin was compiled with. `attach` and
/// hilda_instance::warn need no newer program: an older one does not call the first and lacks the second, and the SDK
/// looks. A report in prepare or initialize cannot be seen here: a program of 1.0 does not refuse for it.
inline std::uint32_t used_minor(const hilda_plugin& plugin) {
  for (std::uint64_t i = 0; i < plugin.type_count; ++i)
    if (needs_1_1(entry(plugin.types, plugin.type_stride, i))) return 1;
  return 0;
}

} // namespace detail
} // namespace sdk1
} // namespace hilda

#endif
