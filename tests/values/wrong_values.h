// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/catalogue.h"
#include "tests/modules.h"

#include <string>
#include <vector>

namespace hilda::test {

/// A text that cannot be the value of a parameter.
struct WrongValue {
  std::string what; ///< "ragged matrix"
  std::string text;
};

/// Texts that no parameter of this slot may take, whatever it is wired to.
std::vector<WrongValue> wrong_values(const Slot& slot);

/// A text that it may take.
std::string sound_value(const Slot& slot);

} // namespace hilda::test
