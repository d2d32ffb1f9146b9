// SPDX-License-Identifier: BSD-3-Clause
// The entry point that hilda_add_plugin compiles into every C++ plugin.

#include <algorithm>
#include <cstring>
#include <deque>
#include <hilda/block.h>
#include <hilda/eigen_caches.h>
#include <hilda/flags.h>
#include <hilda/used_minor.h>

#ifndef HILDA_PLUGIN_NAME
#error "hilda_add_plugin defines HILDA_PLUGIN_NAME"
#endif

/// Of plugins that are linked with raises_flags.cpp; elsewhere nowhere.
extern "C" [[gnu::weak, gnu::visibility("hidden")]] const unsigned char hilda_blocks_raise_flags;

namespace {

struct Plugin {
  std::vector<hilda_block_type> types;
  std::deque<std::string> faults;
  hilda_plugin table{};
};

/// Whose prototype cannot be made is named and left out; the plugin's other blocks are kept.
hilda_block_type faulty(Plugin& plugin, const char* name, const char* doc, const char* why) {
  hilda_block_type type{};
  type.size = sizeof type;
  type.name = name;
  type.doc = doc;
  type.fault = plugin.faults.emplace_back(std::string("its constructor throws: ") + why).c_str();
  return type;
}

hilda_block_type described(Plugin& plugin, const hilda::detail::Registration& r,
                           hilda::detail::Registration::Describe describe, std::uint32_t flags) {
  try {
    return describe(r.name, r.doc, flags);
  } catch (const std::exception& e) { return faulty(plugin, r.name, r.doc, e.what()); } catch (...) {
    return faulty(plugin, r.name, r.doc, "what is not a std::exception");
  }
}

/// The flag is a property of a type, or of the whole plugin.
void settle_flags(hilda_block_type& type) {
  const bool all = &hilda_blocks_raise_flags != nullptr;
  if (all && (type.flags & HILDA_RAISES_NO_FLAGS) == 0) type.flags |= HILDA_RAISES_FLAGS;
  type.flags &= ~HILDA_RAISES_NO_FLAGS;
}

std::int32_t attach(const hilda_host* host) {
  hilda::detail::host = host;
  return 0;
}

void fill(Plugin& plugin) {
  hilda::detail::fix_eigen_caches();
  using hilda::detail::Registration;
  std::vector<const Registration*> registrations;
  for (const Registration* r = Registration::first; r != nullptr; r = r->next) registrations.push_back(r);
  std::sort(registrations.begin(), registrations.end(),
            [](const Registration* a, const Registration* b) { return std::strcmp(a->name, b->name) < 0; });
  for (const Registration* r : registrations) {
    std::uint32_t flags = 0;
    for (const auto describe : r->variants) {
      plugin.types.push_back(described(plugin, *r, describe, flags));
      settle_flags(plugin.types.back());
      flags = HILDA_VARIANT;
    }
  }
  hilda_plugin& t = plugin.table;
  t.size = sizeof t;
  t.abi_major = HILDA_ABI_MAJOR;
  t.type_stride = sizeof(hilda_block_type);
  t.name = HILDA_PLUGIN_NAME;
#ifdef HILDA_PLUGIN_VERSION
  t.version = HILDA_PLUGIN_VERSION;
#else
  t.version = "";
#endif
#if defined(__clang__)
  t.built = "clang " __clang_version__;
#else
  t.built = "gcc " __VERSION__;
#endif
  t.types = plugin.types.data();
  t.type_count = plugin.types.size();
  t.attach = &attach;
  t.abi_minor = hilda::detail::used_minor(t);
}

/// Lives as long as the library is loaded: its destructor runs when it is unloaded.
const hilda_plugin* table() noexcept {
  static Plugin plugin;
  static const bool filled = (fill(plugin), true);
  return filled ? &plugin.table : nullptr;
}

} // namespace

extern "C" HILDA_EXPORT const hilda_plugin* hilda_plugin_entry(void) { return table(); }
