// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/detail/flatten/evaluation.h"
#include "engine/compile/detail/flatten/settings.h"
#include "engine/diagram/diagram.h"
#include "engine/diagram/name_table.h"
#include "engine/diagram/search_roots.h"
#include "engine/diagram/system.h"
#include "engine/modules.h"
#include "engine/plugin/type_table.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hilda::compile {

/// The names of one diagram in one mode. All uses of the diagram share it.
struct NameIndex {
  enum class Kind : std::uint8_t { block, subsystem, absent };
  struct Entry {
    Kind kind = Kind::absent; ///< absent: an element of another mode
    std::uint32_t index = 0;  ///< into DiagramDecl::blocks or subsystems
  };
  NameTable<Entry> elements;
  /// Subsystems that carry a mode, by name.
  std::unordered_map<std::string_view, std::vector<std::size_t>> variants;
  /// Index of a port; ports of another mode are not among them.
  std::unordered_map<std::string_view, std::size_t> inputs, outputs;
  /// Ports of another mode.
  std::unordered_map<std::string_view, const PortDecl*> other_inputs, other_outputs;
};

/// Builds the index of each diagram once.
class NameIndexes {
public:
  explicit NameIndexes(std::string mode) : mode_(std::move(mode)) {}
  const NameIndex& of(const DiagramDecl& diagram);

private:
  std::string mode_;
  std::map<const DiagramDecl*, std::unique_ptr<NameIndex>> indexes_; ///< looked up only, never walked
};

/// A routing/DataStore of this diagram or one around it, as a block that reads or writes it names it.
struct NamedStore {
  bool vanished = false; ///< only another mode has it
  BlockIndex store{};    ///< none: it is not there, which has been reported
};

/// A routing/DataStoreRead, which is a piece of wire.
struct StoreReader {
  const TypeInfo* info = nullptr;
  NamedStore of = {};
};

/// One use of a diagram: the top diagram itself, or a subsystem of the chosen mode.
struct Instance {
  const DiagramDecl* diagram = nullptr;
  const SubsystemDecl* element = nullptr; ///< null: the top diagram
  Instance* parent = nullptr;
  std::string path; ///< "rig", empty for the top diagram
  const NameIndex* names = nullptr;
  SettingNode* settings = nullptr; ///< those below this path, or null
  ScopeIndex scope{};              ///< of its parameters
  bool replaced = false;           ///< by --rig

  /// By index of DiagramDecl::subsystems; null: of another mode, or its body could not be read.
  std::vector<std::unique_ptr<Instance>> children;
  /// By index of DiagramDecl::blocks; none: of another mode, or its type is not known.
  std::vector<BlockIndex> blocks;
  /// Blocks that are pieces of wire, by index of DiagramDecl::blocks; where the senders of a tag are.
  std::map<std::size_t, JunctionIndex> junctions;
  std::map<std::string, JunctionIndex> senders;
  std::map<std::size_t, StoreReader> store_readers;
  /// Of the top diagram, by index of DiagramDecl::inputs: the block that stands for what comes from outside, or none.
  std::vector<BlockIndex> sources;
  std::size_t first_port = 0; ///< number of the first of its inputs and then outputs among all subsystem ports

  std::string path_of(const std::string& name) const { return path.empty() ? name : path + "." + name; }
};

/// What the stages from the declarations to the flat system share.
struct FlattenContext {
  const Catalogue& catalogue;
  SearchRoots& roots;
  const Sources& sources;
  Suggestions& suggestions;
  Diagnostics& diagnostics;
  std::vector<std::string>& remarks;
  ScriptScope* scripts = nullptr; ///< null: no type is in a source file
};

} // namespace hilda::compile
