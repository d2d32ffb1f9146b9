// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/diagram/detail/xml/text/parsed_xml.h"
#include "engine/diagram/diagram.h"
#include "engine/diagram/recorded_files.h"
#include "engine/modules.h"

#include <cstddef>
#include <string>

namespace hilda::diagram {

/// Limits that untrusted files must keep.
struct XmlLimits {
  static constexpr std::size_t file_bytes = std::size_t{256} << 20;
  static constexpr std::size_t all_bytes = std::size_t{512} << 20;
  static constexpr std::size_t files = 1000;
  static constexpr int nesting = 64;       ///< diagrams and subsystems within one another, the first one counted
  static constexpr int attributes = 512;   ///< of one element
  static constexpr std::size_t name = 200; ///< bytes
};

/// Reads a regular file of at most `most` bytes, or takes it from `recorded` where that has it. Null where that fails,
/// which is reported at `asked` (for a file named on the command line: no place). Codes: file-unreadable,
/// file-too-large.
const Sources::File* read_source(const std::string& absolute, const std::string& shown, std::size_t most,
                                 Location asked, Sources& sources, Diagnostics& diagnostics,
                                 const RecordedFiles* recorded = nullptr);

/// Reads the text; false where it is not XML, which is reported. A file of which nothing is doubtful is read at once,
/// any other by the parser. Codes: not-utf8, xml-syntax, xml-too-deep, too-many-attributes.
bool read_xml(const Sources::File& file, ParsedXml& document, Diagnostics& diagnostics);

/// The parser alone.
bool parse_xml(const Sources::File& file, tinyxml2::XMLDocument& document, Diagnostics& diagnostics);

} // namespace hilda::diagram
