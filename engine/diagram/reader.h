// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/diagram/diagram.h"
#include "engine/diagram/recorded_files.h"
#include "engine/diagram/search_roots.h"
#include "engine/diagram/suggestion.h"
#include "engine/modules.h"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hilda::diagram {

/// Turns diagram files into declarations. Everything that is wrong with a file and the files it includes is reported at
/// once; what could be understood is returned, so that later stages can report theirs too.
///
/// A file is read once however often it is included. Sources, roots and diagnostics must outlive the reader; locations
/// point into the sources.
class DiagramReader {
public:
  /// @param recorded  null, or files that replace those on the disk; must outlive the reader
  DiagramReader(SearchRoots& roots, Sources& sources, Diagnostics& diagnostics, const RecordedFiles* recorded = nullptr)
      : roots_(roots), sources_(sources), diagnostics_(diagnostics), recorded_(recorded) {}

  /// The diagram in a file that the user names. Null where it is not a diagram at all.
  std::shared_ptr<const DiagramDecl> file(const std::string& path);
  /// The same from memory: as if it were in a file of this name in the current folder.
  std::shared_ptr<const DiagramDecl> text(const std::string& name, std::string text);

  /// The body of a subsystem with `src`, written at `where`. Null where there is none (reported). Codes: those of
  /// SearchRoots::find, include-cycle, include-too-deep, too-many-files.
  std::shared_ptr<const DiagramDecl> include(const std::string& src, Location where);

  Suggestions& suggestions() { return suggestions_; }

private:
  /// Absolute path of what `src` names in the file of `where`; empty after a report.
  std::string find(const std::string& src, Location where);
  std::shared_ptr<const DiagramDecl> read(const std::string& absolute, const std::string& shown, Location asked);
  std::shared_ptr<const DiagramDecl> parse(const Sources::File& file);

  struct Included {
    std::string absolute;
    Location asked;
  };
  SearchRoots& roots_;
  Sources& sources_;
  Diagnostics& diagnostics_;
  const RecordedFiles* recorded_;
  Suggestions suggestions_;
  std::map<std::string, std::shared_ptr<const DiagramDecl>> read_; ///< by absolute path
  std::map<const std::string*, std::string> absolute_;             ///< of a source, by its shown name
  std::vector<Included> open_;                                     ///< the files being read, outermost first
  std::size_t bytes_ = 0;
};

} // namespace hilda::diagram
