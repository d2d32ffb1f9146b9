#include "engine/xml/document.h"

#include "engine/model/characters.h"

#include "engine/model/complaint.h"
#include "engine/xml/syntax.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <tinyxml2.h>

namespace hilda {
namespace {

int line_of(std::string_view text, std::size_t at) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(at, text.size()));
  return 1 + static_cast<int>(std::count(text.begin(), end, '\n'));
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
    diagnostics.error("file-unreadable", asked, "cannot read " + hilda::quoted(shown),
                      regular ? "look at its permissions" : "it must exist and be a file");
    return nullptr;
  }
  if (size > most) {
    diagnostics.error("file-too-large", asked,
                      hilda::quoted(shown) + " has " + std::to_string(size) + " bytes; " + std::to_string(most) +
                          " are the most that is read",
                      "divide it into subsystems, or generate less");
    return nullptr;
  }
  std::string text(size, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(size));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
  return &sources.add(shown, absolute, std::move(text));
}

bool parse_xml(const Sources::File& file, tinyxml2::XMLDocument& document, Diagnostics& diagnostics) {
  if (const std::size_t bad = first_bad_byte(file.text); bad != std::string_view::npos) {
    if (file.text.starts_with("\x89MCAP")) {
      diagnostics.error("not-utf8", {&file.name, 1}, "this is a log, and no diagram",
                        "hilda run --mode replay runs a log again, hilda info FILE --files shows its diagram");
      return false;
    }
    diagnostics.error("not-utf8", {&file.name, line_of(file.text, bad)}, "this is no UTF-8 text",
                      "save the file as UTF-8; control characters are not allowed");
    return false;
  }
  document.Parse(file.text.data(), file.text.size());
  if (!document.Error()) return true;
  if (document.ErrorID() == tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED) {
    diagnostics.error("xml-too-deep", {&file.name, document.ErrorLineNum()}, "elements are nested too deeply",
                      "at most " + std::to_string(XmlLimits::nesting) + " subsystems may stand within one another");
    return false;
  }
  report_syntax(file, std::max(1, document.ErrorLineNum()), diagnostics);
  return false;
}

} // namespace hilda
