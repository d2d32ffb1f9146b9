// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace hilda::base {

/// What a file holds, as far as its beginning shows.
enum class FileContent : std::uint8_t {
  nothing, ///< it is empty, or blank
  text,
  table, ///< comma-separated values
  json,
  picture, ///< SVG, PNG or PDF
  page,    ///< HTML
  diagram,
  overlay,
  study,
  schema, ///< of diagrams or of studies
  xml,    ///< any other
  log,    ///< MCAP
  mat,
  results, ///< of a study
  parquet,
  other
};

/// By the first bytes of a file.
FileContent content_of(std::string_view head);
/// Of a file; `nothing` where it cannot be read.
FileContent content_of_file(const std::string& path);

/// "a diagram"
const char* content_name(FileContent content);

/// May a file with `there` in it be overwritten by one with `wanted`? Of whatever a person may have written that is
/// another kind, it may not.
bool may_replace(FileContent there, FileContent wanted);

} // namespace hilda::base
