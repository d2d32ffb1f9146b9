// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/plugin/block_fault.h"
#include "engine/run/detail/schedule/mode_witness.h"
#include "engine/run/memory.h"

#include <string>
#include <vector>

namespace hilda::run {

/// Parameters that wires drive. Before its block runs each takes what its wire carries; where one has changed, the
/// block prepares, as it does when someone sets a live parameter.
///
/// A value beyond the parameter's range is not taken: it ends the run, or, at a trial step of a solver, the trial.
class DrivenParameters {
public:
  void bind(const System& system, const Memory& memory, const Indexed<BlockIndex, hilda_instance>& instances,
            ModeWitness& modes);

  /// The argument of `take` for a block; null where nothing drives its parameters.
  char* of(BlockIndex block);
  /// [loop] The call of one block; its first argument is what `of` says.
  static void take(void* of_block, const hilda_tick* now);

  /// All values that are in use, as bytes for a checkpoint: `piece(data, bytes)`.
  template <typename Piece> void walk(Piece&& piece) const {
    for (const OfBlock& block : blocks_)
      for (const Parameter& each : block.parameters) piece(each.to, each.bytes);
  }
  /// After a checkpoint has been restored: what follows from the values that it had. Throws BlockFault.
  void prepare(const System& system);

private:
  struct Parameter {
    const hilda_view* from = nullptr; ///< in the record: audits and the safety stage may point it elsewhere
    void* to = nullptr;
    std::size_t bytes = 0, count = 0;
    const Slot* slot = nullptr;
    std::string out_of_range, no_number; ///< what ends the run
  };
  struct OfBlock {
    void* record = nullptr;
    void (*prepare)(void*, const hilda_instance*) = nullptr;
    const hilda_instance* instance = nullptr;
    ModeWitness* modes = nullptr;
    BlockIndex block;
    bool fresh = true; ///< has not prepared in a tick yet
    std::vector<Parameter> parameters;
  };
  static bool accepts(const OfBlock& block, const Parameter& parameter, const hilda_tick& now) noexcept;

  std::vector<OfBlock> blocks_; ///< by block; never changed once `of` has been asked
};

} // namespace hilda::run
