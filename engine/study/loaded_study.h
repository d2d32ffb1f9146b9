// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/compile/loaded_diagram.h"
#include "engine/diagram/recorded_files.h"
#include "engine/modules.h"
#include "engine/study/detail/written/design.h"
#include "engine/study/detail/written/figures.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hilda::study {

/// A study, every file that it and its diagrams consist of, and all that its runs share. Once it is whole any number of
/// threads may ask it.
class LoadedStudy {
public:
  /// @param library_path  where diagrams and what they include are looked for last
  /// @param recorded      files that replace those on the disk: of a store
  LoadedStudy(const Catalogue& catalogue, std::vector<std::string> library_path,
              const RecordedFiles* recorded = nullptr);
  LoadedStudy(const LoadedStudy&) = delete;
  LoadedStudy& operator=(const LoadedStudy&) = delete;

  /// False after errors, which are in `diagnostics`: those of the study file, and what they leave to be reported of its
  /// diagrams.
  bool load(const std::string& file);
  /// Loads the diagram with each value of each axis once, the others at their first, up to `most` times, and keeps
  /// every file that is read. False after errors.
  bool check(std::size_t most = 2000);
  /// What holds for each run, one point for each diagram, with its name where an axis gives it. Of a study with errors
  /// as well, as far as it could be read.
  std::vector<RunPoint> common_points() const;

  /// There is a study, right or wrong.
  bool read() const { return study_.has_value(); }
  const Study& study() const { return *study_; }
  const Design& design() const { return *design_; }
  const StudyFigures& figures() const { return *figures_; }
  const Catalogue& catalogue() const { return catalogue_; }
  Diagnostics& diagnostics() { return diagnostics_; }
  const std::vector<std::string>& remarks() const { return remarks_; }

  struct File {
    std::string name, text;
  };
  /// The study first, then what its diagrams were read from, by name.
  const std::vector<File>& files() const { return files_; }
  /// Of the texts of all files.
  std::string hash() const { return hash_of(files_); }
  static std::string hash_of(const std::vector<File>& files);

  /// How a diagram is loaded for a point; factors have been multiplied.
  LoadOptions options(const RunPoint& point) const;
  /// The settings of factors: multiples of what the diagram has with the study's `<set>`. False after a report.
  bool multiply(RunPoint& point, Diagnostics& diagnostics) const;
  /// `hilda run DIAGRAM --set ...` of a point, quoted for a shell.
  std::string command_line(const RunPoint& point) const;
  std::string mode() const { return study_->mode; }

private:
  void keep_files(const Sources& sources);
  void check_point(std::int64_t run, const AxisValue* value);
  bool is_readable(const RunPoint& point, const LoadedDiagram& diagram, std::int64_t run);
  void check_what_was_read();
  void take_own(const Diagnostics& found);
  void tell_value(const Diagnostics& found, const AxisValue* value);

  const Catalogue& catalogue_;
  const std::vector<std::string> library_path_;
  const RecordedFiles* recorded_;
  Sources sources_;
  Diagnostics diagnostics_;
  std::vector<std::string> remarks_;
  std::vector<std::unique_ptr<LoadedDiagram>> checked_; ///< whose sources the findings point to
  std::optional<Study> study_;
  std::unique_ptr<Design> design_;
  std::unique_ptr<StudyFigures> figures_;
  std::vector<File> files_;
  std::vector<std::string> unreadable_; ///< diagrams that have been reported
  RecordedFiles kept_;                  ///< the same, for the loads that follow
};

} // namespace hilda::study
