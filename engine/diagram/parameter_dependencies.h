// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/system.h"
#include "engine/modules.h"

#include <compare>
#include <cstddef>
#include <vector>

namespace hilda::diagram {

/// A parameter of a block: index into System::blocks and there into SystemBlock::parameters.
struct BlockParameter {
  BlockIndex block{};
  std::size_t index = 0;

  friend auto operator<=>(const BlockParameter&, const BlockParameter&) = default;
};

/// What depends on a named parameter by `${}`, directly or through others.
struct Dependents {
  std::vector<ParameterIndex> parameters; ///< named ones, itself first, each behind those that it names
  std::vector<BlockParameter> blocks;
  std::vector<std::size_t> settled; ///< into ParameterTable::settled: what cannot follow a change
};

/// The ways from named parameters to what their values are used for. Made where it is asked for, from the texts that
/// the system keeps; the system must outlive it.
class ParameterDependencies {
public:
  explicit ParameterDependencies(const System& system);
  /// Of one or several named parameters together.
  Dependents of(const std::vector<ParameterIndex>& parameters) const;

private:
  struct Users {
    std::vector<ParameterIndex> parameters;
    std::vector<BlockParameter> blocks;
    std::vector<std::size_t> settled;
  };
  template <class Note> void each_named(const std::string& text, ScopeIndex scope, Note note);
  std::vector<ParameterIndex> in_order(const std::vector<ParameterIndex>& parameters) const;

  const System& system_;
  Indexed<ParameterIndex, Users> users_; ///< whose texts name it
};

} // namespace hilda::diagram
