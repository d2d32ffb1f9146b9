// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/parameter_change.h"
#include "engine/modules.h"
#include "engine/session/input.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::session {

/// What an input is made of.
struct FoundInput {
  std::vector<InputTarget> targets;
  int rows = 1, cols = 1;
  std::string unit, range;
  hilda_element element = HILDA_F64;
  double least = 0, most = 0;       ///< both included
  std::vector<std::string> rated;   ///< paths of the <live> that limit how fast it changes
  double rate = 0;                  ///< 1/s, the lowest of them
  std::vector<std::uint64_t> words; ///< as they are
};

/// The parameters of blocks that a path stands for, and what they have in common. None after errors: those of a live
/// setting (unknown-setting, live-driven, live-fixed, live-paused, live-text, live-settled, live-unused), and
/// input-computed: a block gets something that is computed of it, or it has no text that gives the same number;
/// input-apart: those that it reaches differ in unit or shape.
std::optional<FoundInput> find_input(const System& system, const Memory& memory, const std::string& path,
                                     Diagnostics& diagnostics, Location where);

/// Numbers as a setting gives them: "5 N", "1 2 3", "1 0; 0 1 N/m", "true".
std::string setting_text(const FoundInput& input, std::span<const std::uint64_t> words);
std::string setting_text(int rows, int cols, hilda_element element, const std::string& unit,
                         std::span<const std::uint64_t> words);

/// A number as a record has it, in a word.
std::uint64_t word_of(hilda_element element, double number) noexcept;
/// The same again as a number.
double number_of(hilda_element element, std::uint64_t word) noexcept;
/// The elements of a span, a word each.
void read_words(const Span& span, std::span<std::uint64_t> words) noexcept;

} // namespace hilda::session
