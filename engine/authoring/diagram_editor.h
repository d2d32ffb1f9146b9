// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/authoring/detail/text/text_edit.h"
#include "engine/authoring/operations.h"
#include "engine/base/diagnostic.h"
#include "engine/diagram/diagram.h"
#include "engine/diagram/suggestion.h"
#include "engine/modules.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::authoring {

/// The text of one diagram file while it is edited. An edit changes just the bytes that it means; each can be undone.
class DiagramEditor {
public:
  /// @param name      as shown to people
  /// @param absolute  where the file lies, or will lie
  /// @param asker     where operations come from, for messages about their words
  DiagramEditor(std::string name, std::string absolute, std::string text, std::string asker = "command line");

  /// All of the operations as one step, or none of them; false after errors. Codes: not-a-diagram, those of scan_spans
  /// and of the operations.
  bool apply(const std::vector<Words>& operations, Diagnostics& diagnostics);
  /// Another text, and all files that belong next to it, no matter how they came about, as one step.
  void rewrite(const std::string& text, std::vector<NewFile> files);
  /// The step before, or the one that was undone; false where there is none.
  bool undo();
  bool redo();

  bool can_undo() const { return done_ > 0; }
  bool can_redo() const { return done_ < steps_.size(); }

  const std::string& text() const { return file_.text; }
  const std::string& name() const { return file_.name; }
  const std::string& absolute() const { return file_.absolute; }
  /// From now on it is this file.
  void lies_in(std::string name, std::string absolute) {
    file_.name = std::move(name);
    file_.absolute = std::move(absolute);
  }
  /// What the last step did in addition to the request.
  const std::vector<std::string>& remarks() const { return remarks_; }
  /// The files that the steps in force created next to the edited one.
  std::vector<NewFile> files() const;

private:
  struct Step {
    std::vector<TextEdit> forward, back;
    std::vector<NewFile> files;
    bool all_files = false; ///< those of the steps before do not count any more
  };

  bool apply(const Words& operation, Step& step, Diagnostics& diagnostics);
  void keep(Step step);

  Sources::File file_;
  std::string asker_;
  Suggestions suggestions_;
  std::vector<std::string> remarks_;
  std::vector<Step> steps_;
  std::size_t done_ = 0; ///< of the steps; those behind were undone
};

/// Writes the file and those next to it, each whole or not at all. Nothing is overwritten that is not `as_read`: a file
/// that changed since stays as it is. False, and a sentence, where that fails.
bool save_edited(const DiagramEditor& editor, const std::string& path, const std::optional<std::string>& as_read,
                 std::string& error);

} // namespace hilda::authoring
