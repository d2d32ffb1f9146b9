// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/authoring/diagram_editor.h"
#include "tools/modules.h"
#include "tools/studio/detail/edit/edit_journal.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hilda::studio {

/// A diagram's file under edit. Nothing of it is written before `save`; a journal next to it holds what is not saved.
class EditedFile {
public:
  /// @param name      as shown to people
  /// @param absolute  where it lies
  /// @param text      what the disk has; none: there is no such file yet
  EditedFile(std::string name, const std::string& absolute, std::optional<std::string> text,
             const std::string& otherwise);

  const std::string& name() const { return editor_.name(); }
  const std::string& absolute() const { return editor_.absolute(); }
  const std::string& text() const { return editor_.text(); }
  /// As the disk had it when it was read or written last; none: there was no file.
  const std::optional<std::string>& on_disk() const { return on_disk_; }
  /// Another one after each change of the text, by whomever.
  int revision() const { return revision_; }
  bool unsaved() const { return gone_ || edited(); }
  /// It was there, and someone has removed it since.
  bool gone() const { return gone_; }
  bool can_undo() const { return editor_.can_undo(); }
  bool can_redo() const { return editor_.can_redo(); }
  const std::vector<std::string>& remarks() const { return editor_.remarks(); }
  /// Files that edits make next to it and that are not written yet.
  std::vector<NewFile> new_files() const;

  /// All of the operations or none.
  bool apply(const std::vector<Words>& operations, Diagnostics& diagnostics);
  /// What the operations would make of it; none after errors.
  std::optional<std::string> tried(const std::vector<Words>& operations, Diagnostics& diagnostics) const;
  bool undo();
  bool redo();
  /// A sentence where that fails; nothing is written then.
  bool save(std::string& error);

  /// Why no one may edit it now: another process does, or edits of an earlier one wait, or the file has changed.
  std::string obstacle() const;
  /// Edits that an earlier process did not save.
  const std::optional<JournalRecord>& recovery() const { return recovery_; }
  /// Makes them again, or gives them up. False, and why, where none of them can be made: they wait. Otherwise `words`
  /// may say what became of them.
  bool recover(bool take, std::string& words);
  /// Where a journal is kept that could not be read, or not whole; empty: there was none.
  const std::string& kept_journal() const { return kept_journal_; }
  /// The disk has another text, which cannot be merged: it.
  const std::optional<std::string>& conflict() const { return conflict_; }
  /// Takes the disk's text instead of the edits; these is available again by `undo`.
  void take_theirs();

  enum class Outside { nothing, taken, merged, conflict, gone, returned };
  /// Looks whether someone else has written it, or removed it.
  Outside look();
  /// Another program that edited it may have ended since, or have begun.
  void look_at_journal();
  /// False: the journal cannot be written, and a crash would lose the edits.
  bool journalled() const { return journalled_; }
  const std::string& journal_path() const { return journal_.path(); }

private:
  bool edited() const { return !on_disk_ || editor_.text() != *on_disk_ || !new_files().empty(); }
  DiagramEditor editor_of(const std::string& text) const;
  void note(const std::vector<Words>& operations);
  void begin_journal_anew();
  void take_up(DiagramEditor again, std::vector<std::vector<Words>> made, const std::string& base);
  bool merge(const std::string& theirs);
  Outside look_for_it();
  static std::string replay(const JournalRecord& record, DiagramEditor& editor, std::vector<std::vector<Words>>& made);

  DiagramEditor editor_;
  std::optional<std::string> on_disk_;
  int revision_ = 1;
  std::vector<std::vector<Words>> made_; ///< operations of each step that is in force or undone; empty: another text
  std::size_t in_force_ = 0, saved_ = 0; ///< steps; those that the disk has
  EditJournal journal_;
  bool held_ = false, journalled_ = true;
  bool gone_ = false, missed_ = false; ///< missed: gone for one look, as while a program writes it again
  std::string kept_journal_;
  std::optional<JournalRecord> recovery_;
  std::optional<std::string> conflict_, looked_at_; ///< looked_at_: what the last look saw on the disk
};

/// The bytes of a file, none where there is none.
std::optional<std::string> file_text(const std::string& path);

} // namespace hilda::studio
