// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/index.h"
#include "engine/modules.h"
#include "engine/quantity/unit.h"

#include <cstdint>
#include <hilda/abi.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// A flag of a block type, next to those of hilda/flags.h, which a plugin may not have: never in a run that touches
/// devices, and no option lets it. The loop functions of the type run an interpreter.
#define HILDA_SIMULATION_ONLY (1u << 7)

struct hilda_ports_1;

namespace hilda::catalogue {

/// A dimension of a shape: c0 + sum of c_i * name_i, or sum(name) over the items of a repeated port.
struct Dimension {
  std::int64_t constant = 0;
  struct Term {
    std::int64_t factor = 1;
    std::string name;
    bool sum = false;
  };
  std::vector<Term> terms;
  bool fixed() const { return terms.empty(); }
};

/// A slot's shape as declared: two dimensions, or one name for a whole shape ("*s").
struct ShapePattern {
  std::string whole; ///< name of a whole shape, or empty
  Dimension rows, cols;
  bool fixed() const { return whole.empty() && rows.fixed() && cols.fixed(); }
};

/// A slot of a block type: the plugin's descriptor, copied and parsed.
struct Slot {
  std::string name;
  std::string doc;
  hilda_role role{};
  hilda_element element{};
  hilda_kind kind{};
  std::uint32_t flags = 0;
  ShapePattern shape;
  std::string shape_text, unit_text;
  UnitExpression unit;  ///< of the pseudo unit where `kind` names a shape
  UnitReading declared; ///< parameter: how a bare number is read (factor 1 where the unit holds a variable)
  std::optional<std::string> initial;
  std::vector<std::string> choices;
  std::string count;
  double minimum = 0, maximum = 0; ///< in the declared unit
  std::uint64_t offset = 0, second_offset = 0;

  bool is(std::uint32_t flag) const { return (flags & flag) != 0; }
  /// Something of the same form lies at second_offset: a derivative, or sides of a crossing.
  bool has_second() const { return is(HILDA_CONTINUOUS) || (is(HILDA_CROSSING) && role == HILDA_WORK); }
};

using SlotIndex = Index<struct SlotTag>; ///< into BlockType::slots

/// A block type as the engine knows it.
struct BlockType {
  std::string name; ///< "contact/PhaseLead"
  std::string doc;
  std::string plugin;                    ///< path of the library
  const hilda_block_type* abi = nullptr; ///< size-checked copy, owned by the catalogue
  std::size_t order = 0;                 ///< place in the catalogue sorted by name: ties are broken by it
  Indexed<SlotIndex, Slot> slots;
  std::vector<std::unique_ptr<BlockType>> variants; ///< more specific layouts, best first

  std::shared_ptr<const hilda_block_type> copy; ///< what `abi` points to
  const hilda_ports_1* ports = nullptr;         ///< of a type that was made for one block

  /// The slot of this name and role, or none.
  SlotIndex find(const std::string& slot, hilda_role role) const;
};

/// Copies and checks a descriptor, so that nothing behind it needs to be careful: sizes, strides and offsets lie within
/// the record, roles, elements, kinds and flags are known, names are unique, texts can be read. Each fault is added
/// to `problems` as a sentence, and the result is then null. The functions that it points to are not called.
/// @param plugin  the plugin's name: the prefix of the type's
/// @param path    the plugin's file
std::unique_ptr<BlockType> describe(const hilda_block_type& type, const std::string& plugin, const std::string& path,
                                    std::vector<std::string>& problems);

/// The same for a type that a source file declares: it alone may have the flag HILDA_SIMULATION_ONLY.
std::unique_ptr<BlockType> describe_of_script(const hilda_block_type& type, const std::string& language,
                                              const std::string& file, std::vector<std::string>& problems);

/// The same for all types of a plugin, each variant attached to its base type.
std::vector<std::unique_ptr<BlockType>> describe(const hilda_plugin& plugin, const std::string& path,
                                                 std::vector<std::string>& problems);

/// Makes `variant` another layout of `base`: the same slots in the same order, but for shape and layout. False,
/// with a problem, where they are not.
bool attach_variant(BlockType& base, std::unique_ptr<BlockType> variant, std::vector<std::string>& problems);

/// What a role is called in a message: "input", "parameter".
const char* role_name(hilda_role role);
/// "real", "integer", "boolean", "text".
const char* element_name(hilda_element element);
/// "wrench"; empty for a plain shape.
const char* kind_name(hilda_kind kind);
/// Size of one element in a record, bytes.
std::size_t element_size(hilda_element element);

/// Why a plugin was refused: the first error about its file.
struct RefusedPlugin {
  std::string file, code, what, help;
};

class ScriptTypes;

/// All block types that can be used, by name.
class Catalogue {
public:
  /// The type, or null.
  const BlockType* find(const std::string& name) const;
  /// Sorted by name; without those in source files, unless they are shown.
  std::vector<const BlockType*> all() const;
  std::vector<std::string> names() const;

  /// Takes a type over; false where the name is taken.
  bool add(std::unique_ptr<BlockType> type);

  /// Lists a type that belongs to someone else, instead of an earlier one of its name. It must live as long.
  void show(const BlockType& type);

  /// Keeps why the plugin of this name is missing, for those who ask for its blocks.
  void refuse(const std::string& plugin, RefusedPlugin why);
  /// Null where no plugin of this name was refused.
  const RefusedPlugin* refused(const std::string& plugin) const;

  /// Where types in source files come from; null: there are none.
  ScriptTypes* scripts() const { return scripts_; }
  void take_scripts(ScriptTypes& scripts) { scripts_ = &scripts; }

private:
  ScriptTypes* scripts_ = nullptr;
  std::map<std::string, RefusedPlugin> refused_;
  std::map<std::string, std::unique_ptr<BlockType>> types_;
  std::map<std::string, const BlockType*> shown_; ///< listed after those
};

} // namespace hilda::catalogue
