// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/program_parts.h"

#include <sstream>

namespace hilda::cli {

std::string list_text(const std::vector<Part>& parts) {
  std::ostringstream text;
  for (const Part& each : parts)
    text << each.kind << ' ' << each.at << ' ' << each.bytes << ' ' << each.hash << ' ' << each.unpacked << ' '
         << each.name << '\n';
  return text.str();
}

std::vector<Part> parts_of(const std::string& text) {
  std::vector<Part> parts;
  std::istringstream in(text);
  for (Part each; in >> each.kind >> each.at >> each.bytes >> each.hash >> each.unpacked &&
                  std::getline(in >> std::ws, each.name);)
    parts.push_back(each);
  return parts;
}

} // namespace hilda::cli
