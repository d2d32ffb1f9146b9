// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace hilda::fmi {

/// As the value of an attribute, with its quotes.
inline std::string xml_quotes(const std::string& text) {
  std::string out = "\"";
  for (const char letter : text) {
    switch (letter) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '"': out += "&quot;"; break;
    case '\n': out += "&#10;"; break;
    case '\t': out += "&#9;"; break;
    default:
      if (static_cast<unsigned char>(letter) >= ' ') out += letter;
    }
  }
  return out + "\"";
}

/// With a blank before it; nothing where the text is empty.
inline std::string xml_attribute(const char* name, const std::string& text) {
  return text.empty() ? "" : " " + std::string(name) + "=" + xml_quotes(text);
}

} // namespace hilda::fmi
