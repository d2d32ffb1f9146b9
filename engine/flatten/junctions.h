#pragma once

#include "engine/flatten/block_parameters.h"
#include "engine/flatten/flatten.h"

#include <optional>
#include <string_view>

namespace hilda {

/// What kind of junction a block type is; none where it is a block.
std::optional<Junction::Kind> junction_kind(std::string_view type);

/// Takes blocks that are pieces of wire out of a diagram: Goto, From, Bundle, Unbundle of the plugin `routing`. A tag
/// is known in the diagram or subsystem in which its Goto stands, and in no other. Codes: junction-attribute,
/// bus-parts, goto-twice, from-without-goto, and those of parameters.
class JunctionReader {
public:
  JunctionReader(Flattened& flat, FlattenContext& context, BlockParameterReader& parameters)
      : flat_(flat), context_(context), parameters_(parameters) {}

  /// The block `index` of an instance's diagram, of this kind and of a type that is known.
  void read(Instance& at, std::size_t index, Junction::Kind kind, const TypeInfo& info);
  /// When all are read: a From has a Goto.
  void check_receivers();

private:
  void refuse_attributes(const BlockDecl& block);
  void read_parts(const BlockDecl& block, const std::string& text, Location where, Junction& made);
  void enter_tag(Instance& at, const BlockDecl& block, JunctionIndex index);
  bool sent_elsewhere(const Instance& at, const std::string& tag) const;

  Flattened& flat_;
  FlattenContext& context_;
  BlockParameterReader& parameters_;
};

} // namespace hilda
