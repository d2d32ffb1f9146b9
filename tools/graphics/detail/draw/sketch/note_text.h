// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <string>
#include <vector>

namespace hilda::graphics::draw {

/// Words of a note that look alike.
struct NotePiece {
  std::string text;
  bool bold = false;
  std::string link = {}; ///< http:// or https://; empty: none
  friend bool operator==(const NotePiece&, const NotePiece&) = default;
};

struct NoteLine {
  double indent = 0; ///< px, of a list
  std::vector<NotePiece> pieces;
  friend bool operator==(const NoteLine&, const NoteLine&) = default;
};

/// The lines of a note that is `width` px wide: **bold**, [words](https://...), and lists of lines that begin with "-
/// ". All else is text as it is. A word that is longer than a line is alone.
std::vector<NoteLine> note_lines(const std::string& text, double width);

} // namespace hilda::graphics::draw
