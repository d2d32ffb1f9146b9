// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/detail/flatten/instance.h"
#include "engine/modules.h"
#include "engine/plugin/type_table.h"

#include <bitset>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace hilda::compile {

/// The wires of diagrams that end at parameters of their blocks.
class ParameterWires {
public:
  ParameterWires(std::string mode, const Catalogue& catalogue);

  /// The parameters of a block of a diagram that wires of this mode drive, each once, in slot order.
  std::vector<SlotIndex> driven(const DiagramDecl& diagram, const std::string& block, const BlockType& type);
  /// The first wire to a parameter, or null.
  const ConnectDecl* wire_to(const DiagramDecl& diagram, const std::string& block, const std::string& parameter);

private:
  using Wires = std::unordered_map<std::string_view, std::vector<const ConnectDecl*>>; ///< by the block they end at
  enum class Which : std::uint8_t { by_catalogue, all };
  /// Those that end at something called like a parameter of the catalogue: most diagrams have none. A type that was
  /// made for its block may have parameters of other names: all.
  const Wires& of(const DiagramDecl& diagram, Which which);
  const ConnectDecl* first_to(const std::vector<const ConnectDecl*>& wires, const std::string& parameter) const;
  /// First letter and length of a name: what most names of inputs share with none of a parameter.
  static std::size_t beginning(std::string_view name);

  static constexpr std::size_t longest = 32;
  std::string mode_;
  std::unordered_set<std::string_view> names_;                  ///< of parameters that wires may drive
  std::bitset<256 * longest> beginnings_;                       ///< of those names
  std::map<std::pair<const DiagramDecl*, Which>, Wires> wires_; ///< looked up only, never walked
};

/// Reads the parameters of a block: given, set or by default, one for each parameter slot of its type. Numbers are
/// fitted to shape, unit and choice later; paths are settled here. One that a wire drives is given by no one else.
/// Codes: unknown-attribute, missing-parameter, driven-parameter, those of SearchRoots::find and of expressions.
class BlockParameterReader {
public:
  BlockParameterReader(Evaluation& evaluation, FlattenContext& context, std::string mode)
      : evaluation_(evaluation), context_(context), wires_(std::move(mode), context.catalogue) {}

  ParameterWires& wires() { return wires_; }

  /// `complete` becomes false where a value is missing or wrong, so that nothing can be made of the block.
  std::vector<ParameterValue> read(const BlockDecl& block, const TypeInfo& info, const Instance& at,
                                   SettingNode* settings, bool& complete);

private:
  void report_unknown(const Attribute& attribute, const BlockDecl& block, const TypeInfo& info);
  void report_missing(const Slot& slot, const BlockDecl& block, const TypeInfo& info, const Instance& at);
  bool evaluate(const Slot& slot, const std::string& text, Location where, const Instance& at, ParameterValue& into);
  bool settle_path(Location where, const Instance& at, Value& value);
  void compare_units(const Slot& slot, const std::string& path, const ParameterValue& set, const std::string& before);
  void refuse_second(const Slot& slot, const BlockDecl& block, const Instance& at, const std::string& text,
                     Location where);

  Evaluation& evaluation_;
  FlattenContext& context_;
  ParameterWires wires_;
};

/// The source in which a location lies; null where it is the command line.
const Sources::File* source_of(const Sources& sources, Location where);

} // namespace hilda::compile
