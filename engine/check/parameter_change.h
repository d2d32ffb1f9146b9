#pragma once

#include "engine/diagnostics/diagnostic.h"
#include "engine/model/parameter_dependencies.h"

#include <optional>
#include <vector>

namespace hilda {

/// What other texts for named parameters make of a system that has been loaded: the values that differ from then on.
struct ParameterChange {
  struct Named {
    ParameterIndex parameter{};
    Value value;
  };
  struct InBlock {
    BlockParameter parameter;
    Value value; ///< as the block's record takes it (write_parameter)
  };
  std::vector<Named> named;
  std::vector<InBlock> blocks;
  std::vector<SettledText> settled; ///< texts that name what was changed and cannot follow before the next loading
};

/// Another text for a named parameter.
struct ParameterText {
  ParameterIndex parameter{};
  Attribute given; ///< text and place
};

/// Evaluates named parameters with other texts, all that hangs on them by `${}`, and brings what blocks get into the
/// shape, unit and range of its slot; the system stays as it is. None after errors, which are those of loading the
/// diagram with these settings. Shapes are taken as inferred: a text that asks for others is an error.
std::optional<ParameterChange> change_parameters(const System& system, const std::vector<ParameterText>& texts,
                                                 Diagnostics& diagnostics);

} // namespace hilda
