// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/diagram/parameter_dependencies.h"
#include "engine/modules.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hilda::compile {

/// Another text for a named parameter, or for one of a block.
struct ParameterText {
  ParameterIndex parameter{};
  Attribute given;           ///< text and place
  BlockParameter in_block{}; ///< where `parameter` is none
};

/// What other texts for parameters make of a system that has been loaded: the values that differ from then on.
struct ParameterChange {
  struct Named {
    ParameterIndex parameter{};
    Value value;
  };
  struct InBlock {
    BlockParameter parameter;
    Value value; ///< as the block's record takes it (write_parameter)
  };
  std::vector<ParameterText> texts; ///< that were asked for
  std::vector<Named> named;
  std::vector<InBlock> blocks;
  std::vector<SettledText> settled; ///< texts that name what was changed and cannot follow before the next loading
};

/// The parameter that a path names, as --set does: "response_delay", "rig.stiffness", "lead.time_constant"; without a
/// text. None where there is none of that path.
std::optional<ParameterText> find_parameter(const System& system, const std::string& path);
/// The parameter of the first block that follows it: the block's own, or of a named parameter what first uses it. None
/// where no block does.
std::optional<BlockParameter> first_follower(const System& system, const ParameterText& found);
/// The paths of all, named ones first.
std::vector<std::string> parameter_paths(const System& system);

/// Evaluates parameters with other texts, and all that depends on them by `${}`, and brings the blocks' values into the
/// shape, unit and range of its slot; the system stays as it is. None after errors, which are those of loading the
/// diagram with these settings. Shapes are taken as inferred: a text that asks for others is an error.
std::optional<ParameterChange> change_parameters(const System& system, const std::vector<ParameterText>& texts,
                                                 Diagnostics& diagnostics);
/// The same, where it is asked often: the dependencies are those of `system`.
std::optional<ParameterChange> change_parameters(const System& system, const ParameterDependencies& dependencies,
                                                 const std::vector<ParameterText>& texts, Diagnostics& diagnostics);

/// What a change replaced.
struct ParameterUndo {
  std::vector<std::pair<ParameterIndex, NamedParameter>> named;
  std::vector<std::pair<BlockParameter, ParameterValue>> blocks;
};

/// Writes a change, its texts too, into the system that it was made for.
ParameterUndo adopt(System& system, const ParameterChange& change);
/// Takes back the last one that was adopted.
void take_back(System& system, const ParameterUndo& undo);

/// Do two values, as records take them, give a record the same bytes?
bool same_numbers(const Value& a, const Value& b);

} // namespace hilda::compile
