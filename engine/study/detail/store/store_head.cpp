// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/arithmetic.h"
#include "engine/study/store.h"

#include <algorithm>
#include <fmt/format.h>

namespace hilda::study {

std::string StoreHead::conflict(const StoreHead& other, const std::string& where) const {
  const auto differs = [&](const char* what, const std::string& mine, const std::string& others) {
    return mine == others ? std::string() : fmt::format("{} {}, and {} {}", what, mine, where, others);
  };
  for (std::size_t i = 0; i < std::min(files.size(), other.files.size()); ++i)
    if (hash != other.hash && files[i].text != other.files[i].text)
      return fmt::format("the file {} is another one {}", files[i].name, where);
  for (const std::string& problem :
       {differs("its study has the hash", hash, other.hash), differs("its rows are of hilda", version, other.version),
        differs("its rows are of revision", git, other.git),
        differs("its mathematics are", mathematics, other.mathematics)})
    if (!problem.empty()) return problem;
  return {};
}

StoreHead head_of(const LoadedStudy& study, const ProgramOrigin& program) {
  StoreHead head;
  head.name = study.study().name, head.study_file = study.study().file;
  head.hash = study.hash();
  head.version = program.version, head.git = program.git, head.mathematics = arithmetic().mathematics;
  head.runs = study.design().runs();
  head.files = study.files();
  for (const Design::Column& column : study.design().columns())
    head.coordinates.push_back({column.name, column.unit, column.doc, column.numeric, column.drawn});
  for (const StudyFigure& figure : study.study().figures)
    head.figures.push_back({figure.name, figure.unit, figure.doc});
  return head;
}

} // namespace hilda::study
