// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/study_reader.h"

#include "engine/base/error.h"
#include "engine/diagram/attributes.h"
#include "engine/diagram/document.h"
#include "engine/study/detail/written/study_elements.h"

#include <filesystem>

namespace hilda::study {

const StudyAxis* Study::find_axis(const std::string& axis) const {
  for (const StudyAxis& each : axes)
    if (each.name == axis) return &each;
  return nullptr;
}

std::optional<Study> read_study(const std::string& path, const std::vector<std::string>& library_path, Sources& sources,
                                Diagnostics& diagnostics, const RecordedFiles* recorded) {
  std::error_code error;
  const auto absolute = std::filesystem::canonical(path, error);
  const Sources::File* file =
      read_source(error ? path : absolute.string(), path, XmlLimits::file_bytes, {}, sources, diagnostics, recorded);
  ParsedXml document;
  if (file == nullptr || !read_xml(*file, document, diagnostics)) return std::nullopt;
  const ParsedNode* root = document.root();
  if (root == nullptr || std::string_view(root->name) != "study") {
    const std::string_view tag = root != nullptr ? root->name : "";
    diagnostics.error("not-a-study", {&file->name, root != nullptr ? root->line : 1},
                      "the file does not begin with <study>",
                      tag == "diagram" ? "to run a diagram: hilda run " + path
                                       : "a study is <study format=\"1\" diagram=\"...\">...</study>");
    return std::nullopt;
  }
  Suggestions suggestions;
  StudyElements elements({file, &diagnostics, &suggestions}, path, library_path, recorded);
  return elements.study(*root);
}

} // namespace hilda::study
