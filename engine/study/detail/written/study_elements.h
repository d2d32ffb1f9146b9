// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/attributes.h"
#include "engine/diagram/recorded_files.h"
#include "engine/modules.h"
#include "engine/study/detail/written/study.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hilda::study {

/// Reads the elements of a study file. A malformed one is reported and left out.
class StudyElements {
public:
  StudyElements(XmlContext context, const std::string& file, const std::vector<std::string>& library_path,
                const RecordedFiles* recorded);

  Study study(const ParsedNode& root);

private:
  void root(const ParsedNode&);
  void child(const ParsedNode&, std::string_view tag);
  void setting(const ParsedNode&);
  void axis(const ParsedNode&);
  void draw(const ParsedNode&);
  void figure(const ParsedNode&);
  void keep(const ParsedNode&);

  bool axis_kind(const AttributeReader& read, StudyAxis& into, Location where);
  void axis_values(const AttributeReader& read, StudyAxis& into, Location where);
  bool fits_beside_others(std::int64_t number, Location where);
  void axis_files(const AttributeReader& read, std::size_t index, StudyAxis& into);
  void axis_order(const StudyAxis& axis);
  bool distribution(const AttributeReader& read, StudyDraw& into, Location where);
  void check_draws();
  void check_figures();

  Attribute given(const AttributeReader& read, std::size_t index, const char* name) const;
  /// False, and reported, where the word is none of these.
  bool word(const Attribute& given, const std::vector<std::string>& allowed);
  /// A column's name that is taken already is reported.
  void column(const std::string& name, Location where);
  /// Of a file that the study names, as it is opened.
  std::string file_path(const std::string& written, const std::string& folder, bool diagram) const;

  const XmlContext context_;
  const std::vector<std::string> library_path_;
  const RecordedFiles* recorded_;
  std::map<std::string, std::pair<std::string, Location>> columns_; ///< as written, by what SQLite knows them by
  Study study_;
  std::vector<bool> sampling_said_; ///< by draw
  bool kept_ = false;
};

} // namespace hilda::study
