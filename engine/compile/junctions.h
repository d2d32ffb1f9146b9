// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/detail/flatten/block_parameters.h"
#include "engine/compile/detail/flatten/flatten.h"
#include "engine/modules.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace hilda::compile {

/// What kind of junction a block type is; none where it is a block.
std::optional<Junction::Kind> junction_kind(std::string_view type);
/// Is it a routing/DataStoreRead, a piece of wire from a block that may be in a diagram around it?
bool reads_store(std::string_view type);

/// Takes blocks that are pieces of wire out of a diagram: Goto, From, Bundle, Unbundle of the plugin `routing`. A tag
/// is known in the diagram or subsystem in which its Goto is, and in no other. Also what reads and writes a
/// routing/DataStore, which is known in its diagram and in all within. Codes: junction-attribute, bus-parts, goto-tag,
/// goto-twice, from-without-goto, unknown-store, and those of parameters.
class JunctionReader {
public:
  JunctionReader(Flattened& flat, FlattenContext& context, BlockParameterReader& parameters)
      : flat_(flat), context_(context), parameters_(parameters) {}

  /// The block `index` of an instance's diagram, of this kind and of a type that is known.
  void read(Instance& at, std::size_t index, Junction::Kind kind, const TypeInfo& info);
  /// The same for what reads a store.
  void read_store_reader(Instance& at, std::size_t index, const TypeInfo& info);
  /// Of each block that is none: it may write a store.
  void note_block(const Instance& at, std::size_t index);
  /// When all are read: a From has a Goto, and who reads or writes a store has that.
  void check_receivers();
  void check_stores();

private:
  struct Reader {
    Instance* at;
    std::size_t index;
    std::string store;
  };
  std::vector<ParameterValue> read_parameters(const Instance& at, const BlockDecl& block, const TypeInfo& info,
                                              bool& complete);
  NamedStore find_store(const Instance& from, const BlockDecl& block, const std::string& name);
  void refuse_attributes(const BlockDecl& block);
  void read_parts(const BlockDecl& block, const std::string& text, Location where, Junction& made);
  bool check_tag(const Junction& made, Location where);
  void enter_tag(Instance& at, const BlockDecl& block, JunctionIndex index);
  bool sent_elsewhere(const Instance& at, const std::string& tag) const;

  Flattened& flat_;
  FlattenContext& context_;
  BlockParameterReader& parameters_;
  std::vector<Reader> readers_;
  std::vector<std::pair<const Instance*, std::size_t>> writers_;
};

} // namespace hilda::compile
