// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/document.h"

#include "engine/base/characters.h"
#include "engine/base/error.h"
#include "engine/base/near_file.h"
#include "engine/diagram/detail/xml/text/large_pages.h"
#include "engine/diagram/detail/xml/text/syntax.h"
#include "engine/diagram/detail/xml/text/wellformed.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string_view>
#include <system_error>
#include <tinyxml2.h>

namespace hilda::diagram {
namespace {

int line_of(std::string_view text, std::size_t at) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(at, text.size()));
  return 1 + static_cast<int>(std::count(text.begin(), end, '\n'));
}

/// Why a file cannot be read, and what to do.
std::pair<std::string, std::string> absence(const std::string& absolute, const std::string& shown) {
  std::error_code error;
  if (std::filesystem::is_regular_file(absolute, error)) return {"it may not be opened", "look at its permissions"};
  if (std::filesystem::is_directory(absolute, error)) return {"it is a folder", "name a file in it"};
  if (std::filesystem::exists(absolute, error)) return {"it is not a regular file", "name a file"};
  const std::string near = near_file(absolute, shown);
  if (near.empty()) return {"there is no such file", "look at the name and at the folder that you are in"};
  return {"there is no such file", "did you mean " + hilda::base::in_quotes(near) + "?"};
}

} // namespace

const Sources::File* read_source(const std::string& absolute, const std::string& shown, std::size_t most,
                                 Location asked, Sources& sources, Diagnostics& diagnostics,
                                 const RecordedFiles* recorded) {
  if (const std::string* text = recorded != nullptr ? recorded->text(shown) : nullptr)
    return &sources.add(shown, absolute, *text);
  std::error_code error;
  const bool regular = std::filesystem::is_regular_file(absolute, error);
  const auto size = regular ? std::filesystem::file_size(absolute, error) : 0;
  std::ifstream stream;
  if (regular && !error) stream.open(absolute, std::ios::binary);
  if (!regular || error || !stream) {
    const auto [why, help] = absence(absolute, shown);
    diagnostics.error("file-unreadable", asked, "cannot read " + hilda::base::in_quotes(shown) + ": " + why, help);
    return nullptr;
  }
  if (size > most) {
    diagnostics.error("file-too-large", asked,
                      hilda::base::in_quotes(shown) + " has " + std::to_string(size) + " bytes; " +
                          std::to_string(most) + " are the most that is read",
                      "divide it into subsystems, or generate less");
    return nullptr;
  }
  std::string text(size, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(size));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
  return &sources.add(shown, absolute, std::move(text));
}

namespace {

/// Reports a file that is not text.
bool is_text(const Sources::File& file, Diagnostics& diagnostics) {
  if (const std::size_t bad = first_bad_byte(file.text); bad != std::string_view::npos) {
    if (file.text.starts_with("\x89MCAP")) {
      diagnostics.error("not-utf8", {&file.name, 1}, "this is a log, and no diagram",
                        "hilda run --mode replay runs a log again, hilda info FILE --files shows its diagram");
      return false;
    }
    diagnostics.error("not-utf8", {&file.name, line_of(file.text, bad)}, "this is not UTF-8 text",
                      "save the file as UTF-8; control characters are not allowed");
    return false;
  }
  return true;
}

} // namespace

bool read_xml(const Sources::File& file, ParsedXml& document, Diagnostics& diagnostics) {
  if (!is_text(file, diagnostics)) return false;
  make_room_for_elements(static_cast<std::size_t>(std::count(file.text.begin(), file.text.end(), '<')));
  if (document.read_plain(file.text)) return true;
  auto parsed = std::make_unique<tinyxml2::XMLDocument>();
  if (!parse_xml(file, *parsed, diagnostics)) return false;
  document.take(std::move(parsed));
  return true;
}

bool parse_xml(const Sources::File& file, tinyxml2::XMLDocument& document, Diagnostics& diagnostics) {
  if (!is_text(file, diagnostics)) return false;
  bool doubtful = false;
  if (!check_attribute_counts(file, diagnostics, doubtful)) return false;
  document.Parse(file.text.data(), file.text.size());
  if (!document.Error()) return !doubtful || check_values(file, diagnostics);
  if (document.ErrorID() == tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED) {
    diagnostics.error("xml-too-deep", {&file.name, document.ErrorLineNum()}, "elements are nested too deeply",
                      "at most " + std::to_string(XmlLimits::nesting - 1) + " subsystems may be nested");
    return false;
  }
  report_syntax(file, std::max(1, document.ErrorLineNum()), diagnostics);
  return false;
}

} // namespace hilda::diagram
