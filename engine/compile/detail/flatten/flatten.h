// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/detail/flatten/instance.h"
#include "engine/diagram/system.h"
#include "engine/modules.h"
#include "engine/plugin/type_table.h"

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hilda::compile {

struct FlattenOptions {
  std::string mode;                       ///< settled by choose_mode
  std::shared_ptr<const DiagramDecl> rig; ///< replaces the body of the top subsystem `rig`; or null
  std::vector<Attribute> settings;        ///< by path; later ones win
  /// Blocks, subsystems and wires after flattening: a file that includes itself twofold at each of many levels is
  /// refused before it fills the memory.
  std::size_t most_elements = 2'000'000;
};

/// A condition whose signals are still paths.
struct GuardPaths {
  GuardIndex guard{};           ///< index into System::guards
  const Instance* at = nullptr; ///< where the paths are looked up
  const std::string* enable = nullptr;
  const std::string* reset = nullptr;
  const std::string* trigger = nullptr; ///< null: none
};

/// The reset of a block that sets itself, which is a wire to its input of that name.
struct ResetWire {
  const Instance* at = nullptr;
  ConnectDecl connect;
};

/// A routing/DataStoreWrite and its store.
struct StoreWire {
  BlockIndex writer, store;
  ConnectDecl connect; ///< for messages
};

/// Of a junction: its place, and where its ports are counted, next to those of subsystems.
struct JunctionPorts {
  const Instance* at = nullptr;
  const TypeInfo* info = nullptr;
  std::size_t first_port = 0; ///< of its inputs: a bundle has one a part, the others one or none
  std::vector<PortDecl> inputs;
  bool vanished = false; ///< of a receiver: only another mode has its sender
  bool tagged = false;   ///< of a sender or receiver: its tag could be read
};

/// A diagram after flattening: every block and parameter, no wire yet.
struct Flattened {
  Flattened(const Catalogue& catalogue, const std::string& mode, Diagnostics& diagnostics)
      : indexes(mode), types(catalogue), evaluation(system.parameters, diagnostics) {}

  System system;
  std::unique_ptr<Instance> top;
  NameIndexes indexes;
  TypeTable types;
  std::vector<GuardPaths> guards;
  std::deque<ResetWire> reset_wires;
  std::deque<StoreWire> store_wires;
  Indexed<JunctionIndex, JunctionPorts> junctions; ///< of System::junctions
  bool buses = false; ///< there is a bundle or an output with parts: a signal may have parts of any name
  Indexed<BlockIndex, const TypeInfo*> infos; ///< of each block, null where its type is not known
  std::vector<BlockIndex> incomplete;         ///< blocks that lack a value; they lose their type once they are wired
  std::size_t ports = 0;                      ///< of all subsystems and junctions together, see Instance::first_port

  std::map<ParameterIndex, Value> without_unit; ///< set to bare numbers: what they replace, which has a unit
  std::vector<std::shared_ptr<const DiagramDecl>> repeated; ///< bodies made for subsystems with for_each
  std::unique_ptr<SettingNode> settings;                    ///< null: there are none
  Evaluation evaluation;
};

/// Resolves subsystems, modes, settings, parameters, guards and sample times of a diagram.
///
/// Blocks are in the order of the file, a subsystem's at the subsystem's place. A block of an unknown type is kept
/// without a type, so that wires to it cause no further errors. `options` and `top` must outlive the result. Codes: see
/// the sources next to this one.
std::unique_ptr<Flattened> flatten(const DiagramDecl& top, const FlattenOptions& options, FlattenContext& context);

} // namespace hilda::compile
