// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/modules.h"

#include <hilda/past.h>
#include <string>
#include <vector>

namespace hilda::catalogue {

/// An input that a type puts out a while later, as it says by "hilda.past/1".
struct PastInput {
  const hilda_past_1* ability = nullptr; ///< null: there is none
  SlotIndex input;
};

/// Calls the type's plugin. Each fault of its answer is added to `problems` as a sentence, and the result is then none.
PastInput past_of(const BlockType& type, std::vector<std::string>& problems);
PastInput past_of(const BlockType& type);

} // namespace hilda::catalogue
