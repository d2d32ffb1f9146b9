// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/detail/library/table.h"

#include "engine/base/characters.h"
#include "engine/catalogue/lanes.h"
#include "engine/catalogue/output_limits.h"
#include "engine/catalogue/past.h"
#include "engine/plugin/running_code.h"

#include <cstddef>
#include <fmt/format.h>

namespace hilda::plugin {
namespace {

/// Of the first version: later ones are longer and begin alike.
constexpr std::uint32_t least_plugin = offsetof(hilda_plugin, type_count) + sizeof(hilda_plugin::type_count);
constexpr std::uint32_t least_type = offsetof(hilda_block_type, extension) + sizeof(hilda_block_type::extension);
constexpr std::uint64_t most_types = 100000;

/// The first thing wrong with the table's head, or nothing.
std::string fault(const hilda_plugin& table) {
  if (table.size < least_plugin)
    return fmt::format("size is {}, less than the {} bytes of hilda_plugin", table.size, least_plugin);
  if (table.name == nullptr || *table.name == '\0') return "name is missing";
  if (table.type_count == 0) return "type_count is 0: there is no block in it";
  if (table.type_count > most_types) return fmt::format("type_count is {}, which is absurd", table.type_count);
  if (table.types == nullptr) return "types is null";
  for (const char* text : {table.name, table.version, table.built})
    if (text != nullptr && first_bad_byte(text) != std::string::npos)
      return "name, version or built is not UTF-8 text, or holds control characters";
  if (table.type_stride < least_type || table.type_stride % alignof(hilda_block_type) != 0)
    return fmt::format("type_stride is {}, not sizeof(hilda_block_type)", table.type_stride);
  return "";
}

bool head_is_sound(const hilda_plugin* table, Location at, Diagnostics& diagnostics) {
  if (table == nullptr) {
    diagnostics.error("plugin-no-table", at, "the entry point returned no table",
                      "return a hilda_plugin whose lifetime is that of the library");
    return false;
  }
  if (table->abi_major != HILDA_ABI_MAJOR || table->abi_minor > HILDA_ABI_MINOR) {
    diagnostics.error("plugin-abi", at,
                      fmt::format("the plugin is built for ABI {}.{}, this program has {}.{}", table->abi_major,
                                  table->abi_minor, HILDA_ABI_MAJOR, HILDA_ABI_MINOR),
                      "build the plugin against the headers of this program");
    return false;
  }
  const std::string what = fault(*table);
  if (!what.empty())
    diagnostics.error("plugin-table", at, "the plugin's table is malformed: " + what,
                      "fill every member of hilda_plugin; in C++, let hilda_add_plugin do it");
  return what.empty();
}

/// What a type says of its outputs' limits and of lanes: asked once, so that no one behind the table hears what is
/// wrong.
bool extensions_are_sound(const BlockType& type, std::vector<std::string>& problems) {
  const std::size_t before = problems.size();
  try {
    const RunningMark mark({.plugin = type.plugin.c_str(), .type = type.name.c_str(), .phase = "extension"});
    output_limits(type, problems);
    lanes_of(type, problems);
    past_of(type, problems);
  } catch (...) { problems.push_back(type.name + ": an exception leaves extension"); }
  for (const auto& variant : type.variants) (void)extensions_are_sound(*variant, problems);
  return problems.size() == before;
}

} // namespace

std::optional<std::vector<std::unique_ptr<BlockType>>> read_table(const hilda_plugin* table, const std::string& file,
                                                                  Location at, Diagnostics& diagnostics) {
  if (!head_is_sound(table, at, diagnostics)) return std::nullopt;
  std::vector<std::string> problems;
  std::vector<std::unique_ptr<BlockType>> types = describe(*table, file, problems);
  std::erase_if(types, [&problems](const auto& type) { return !extensions_are_sound(*type, problems); });
  for (const std::string& problem : problems)
    diagnostics.error("plugin-descriptor", at, problem,
                      "mend the block type's table; docs/abi.md says what each member means");
  if (types.empty()) return std::nullopt;
  return types;
}

} // namespace hilda::plugin
