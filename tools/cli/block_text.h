// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/catalogue/catalogue.h"
#include "tools/modules.h"

#include <functional>
#include <string>
#include <vector>

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
SlotText slot_text(const BlockType& type, const Slot& slot);
/// A sentence for each port with parts: "state is an output with the parts position, velocity: ...".
std::vector<std::string> parted_port_texts(const BlockType& type);

/// All that a user needs to wire a block: what it does; inputs, outputs, parameters and states, each with shape, unit,
/// what the declaration says about it, and its sentence.
/// @param title  how a title is set; as it is where empty
std::string block_text(const BlockType& type, const std::function<std::string(const std::string&)>& title = {});

/// The type of this name, with or without its subject; null, and what to say, where there is none or more than one.
const BlockType* find_block(const Catalogue& catalogue, const std::string& name, std::string& problem);

} // namespace hilda::cli
