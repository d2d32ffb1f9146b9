// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace hilda::fmi {

/// In quotes for a message, cut, on one line. As base::in_quotes: these files do not link the engine.
inline std::string marked(const std::string& text) {
  constexpr std::size_t longest = 60;
  std::string cut = text.size() > longest ? text.substr(0, longest - 3) + "..." : text;
  for (char& letter : cut)
    if (static_cast<unsigned char>(letter) < ' ') letter = '?';
  return "'" + cut + "'";
}

} // namespace hilda::fmi
