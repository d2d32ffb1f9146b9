#pragma once

#include "engine/model/catalogue.h"

#include <string>

namespace hilda::cli {

/// The plugin's name before the slash.
std::string subject_of(const BlockType& type);
std::string first_sentence(const std::string& doc);

/// A port, parameter or state in words.
struct SlotText {
  std::string name;   ///< "u[]" where it is repeated
  std::string shape;  ///< "wrench", "3", "m x n", "paper | work"
  std::string unit;   ///< empty: none, or that of the named shape
  std::string traits; ///< "feeds through, optional"; "default 0 s, at least 0"
};
SlotText slot_text(const Slot& slot);

/// All that a user needs to wire a block: what it does; inputs, outputs, parameters and states, each with shape, unit,
/// what the declaration says about it, and its sentence.
std::string block_text(const BlockType& type);

} // namespace hilda::cli
