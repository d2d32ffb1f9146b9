// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/study/shown_units.h"

#include "engine/study/study_reader.h"

#include <cmath>

namespace hilda::graphics {

double ShownUnit::of_si(double number) const { return std::isfinite(number) ? reading.from_si(number) : number; }

std::vector<ShownUnit> shown_units(const StoreHead& head) {
  std::vector<ShownUnit> units;
  for (const StoreHead::Column& column : head.coordinates) units.push_back({.text = column.unit});
  RecordedFiles files;
  for (const LoadedStudy::File& file : head.files) files.add(file.name, file.text);
  Sources sources;
  Diagnostics unused;
  const std::optional<Study> study = read_study(head.study_file, {}, sources, unused, &files);
  if (!study) return units;
  const auto show = [&](const std::string& name, const WrittenUnit& written, bool logarithmic) {
    for (std::size_t c = 0; c < units.size(); ++c) {
      if (head.coordinates[c].name != name || !head.coordinates[c].numeric) continue;
      units[c].logarithmic = logarithmic;
      if (!written.text.empty()) units[c].reading = written.reading, units[c].text = written.text;
    }
  };
  for (const StudyAxis& axis : study->axes) show(axis.name, axis.written, axis.logarithmic);
  for (const StudyDraw& draw : study->draws) show(draw.path, draw.written, false);
  return units;
}

} // namespace hilda::graphics
