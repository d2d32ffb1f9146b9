// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/authoring/operations.h"
#include "tools/modules.h"
#include "tools/studio/detail/clients/session.h"

#include <optional>
#include <string>
#include <vector>

namespace hilda::studio {

/// What a journal holds: the text that the edits begin with, and each of them.
struct JournalRecord {
  struct Entry {
    std::vector<Words> operations; ///< empty: all is given as it became, an edit was taken back or made a file
    std::string text;
    std::vector<NewFile> files = {}; ///< that are not written yet
  };
  std::string base;
  std::vector<Entry> entries;
  bool whole = true; ///< false: what follows the entries cannot be read
};

/// Edits of a file that are not saved yet, in a file next to it: `.NAME.edits`, a line of JSON each. Only one process
/// holds it at a time.
class EditJournal {
public:
  explicit EditJournal(const std::string& diagram);
  ~EditJournal();
  EditJournal(const EditJournal&) = delete;
  EditJournal& operator=(const EditJournal&) = delete;

  /// Takes the journal that is there; false: another process holds it.
  bool hold();
  /// Whether there is a journal of that diagram, anyone who writes it.
  static bool is_there(const std::string& diagram);
  /// What an earlier process has left; without entries: nothing of it can be read.
  std::optional<JournalRecord> left() const;

  /// Writes a line; the first one of a journal says what it begins with. False where the disk takes nothing more.
  bool add(const std::string& base, const JournalRecord::Entry& entry);
  /// All is saved, or given up.
  void remove();
  /// Gives the present journal another name, for a person to look at. Returns that name, or nothing where it cannot.
  std::string set_aside();
  bool empty() const { return begun_ == false; }
  const std::string& path() const { return path_; }

private:
  bool write(const Json& line);
  void close();

  std::string path_;
  int file_ = -1;
  bool begun_ = false;
};

} // namespace hilda::studio
