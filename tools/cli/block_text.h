#pragma once

#include "engine/model/catalogue.h"

#include <string>

namespace hilda::cli {

/// The plugin's name before the slash.
std::string subject_of(const BlockType& type);
std::string first_sentence(const std::string& doc);

/// All that a user needs to wire a block: what it does; inputs, outputs, parameters and states, each with shape, unit,
/// what the declaration says about it, and its sentence.
std::string block_text(const BlockType& type);

} // namespace hilda::cli
