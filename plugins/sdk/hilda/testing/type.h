// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_TYPE_H
#define HILDA_TESTING_TYPE_H

// A plugin's tables, as a test reads them.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <dlfcn.h>
#include <hilda/testing/value.h>
#include <memory>

namespace hilda::testing {

inline bool has(const hilda_slot& slot, std::uint32_t flag) { return (slot.flags & flag) != 0; }
inline bool is_port(const hilda_slot& slot) { return slot.role == HILDA_INPUT || slot.role == HILDA_OUTPUT; }
inline std::size_t element_size(const hilda_slot& slot) { return slot.element == HILDA_U8 ? 1 : 8; }

/// A block type: its function table and its slots, copied as far as both sides know them.
class Type {
public:
  explicit Type(const hilda_block_type& table) {
    std::memcpy(&table_, &table, std::min<std::size_t>(table.size, sizeof table_));
    for (std::uint32_t i = 0; i < table_.slot_count; ++i) {
      const auto* from = reinterpret_cast<const char*>(table_.slots) + std::size_t{i} * table_.slot_stride;
      hilda_slot slot{};
      std::uint32_t known = 0;
      std::memcpy(&known, from, sizeof known);
      std::memcpy(&slot, from, std::min<std::size_t>(known, sizeof slot));
      slots_.push_back(slot);
    }
  }

  const hilda_block_type& table() const { return table_; }
  const std::vector<hilda_slot>& slots() const { return slots_; }
  std::string name() const { return table_.name; }
  bool variant() const { return (table_.flags & HILDA_VARIANT) != 0; }
  /// Does it touch the world? Tests never start such a block.
  bool is_driver() const { return table_.start != nullptr || table_.acquire != nullptr || table_.emit != nullptr; }

  const hilda_slot* find(std::string_view slot, hilda_role role) const {
    for (const hilda_slot& each : slots_)
      if (each.role == static_cast<std::uint32_t>(role) && slot == each.name) return &each;
    return nullptr;
  }
  template <typename Extension> const Extension* extension(const char* name) const {
    return table_.extension == nullptr ? nullptr : static_cast<const Extension*>(table_.extension(name));
  }

private:
  hilda_block_type table_{};
  std::vector<hilda_slot> slots_;
};

/// A plugin, loaded from its file for as long as this lives.
class Plugin {
public:
  explicit Plugin(const std::string& file) : handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL), &dlclose) {
    if (!handle_) throw Impossible(std::string("the plugin cannot be loaded: ") + dlerror());
    const auto entry = reinterpret_cast<hilda_plugin_entry_function>(dlsym(handle_.get(), HILDA_PLUGIN_ENTRY));
    table_ = entry == nullptr ? nullptr : entry();
    if (table_ == nullptr) throw Impossible(file + " has no " HILDA_PLUGIN_ENTRY " that returns a table");
    if (table_->abi_major != HILDA_ABI_MAJOR) throw Impossible(file + " is built for another major ABI version");
    const auto* types = reinterpret_cast<const char*>(table_->types);
    for (std::uint64_t i = 0; i < table_->type_count; ++i)
      types_.emplace_back(*reinterpret_cast<const hilda_block_type*>(types + i * table_->type_stride));
  }

  std::string name() const { return table_->name; }
  /// All block types, each variant behind the type that it is one of.
  const std::vector<Type>& types() const { return types_; }
  /// The block of this name, without the plugin's ("Lag").
  const Type& type(std::string_view name) const {
    for (const Type& each : types_)
      if (!each.variant() && each.name() == name) return each;
    throw Impossible("the plugin '" + this->name() + "' has no block '" + std::string(name) + "'");
  }

private:
  std::unique_ptr<void, int (*)(void*)> handle_;
  const hilda_plugin* table_ = nullptr;
  std::vector<Type> types_;
};

} // namespace hilda::testing

#endif
