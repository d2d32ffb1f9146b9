// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/edit/edited_file.h"

#include "engine/authoring/merging.h"
#include "engine/diagram/document.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace hilda::studio {
namespace {

constexpr const char* asker = "page"; // as messages about what is set have it

bool is_missing(const std::string& path) {
  std::error_code error;
  return !std::filesystem::exists(path, error) && !error;
}

} // namespace

std::optional<std::string> file_text(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) > XmlLimits::file_bytes)
    return std::nullopt;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

EditedFile::EditedFile(std::string name, const std::string& absolute, std::optional<std::string> text,
                       const std::string& otherwise)
    : editor_(std::move(name), absolute, text.value_or(otherwise), asker), on_disk_(std::move(text)),
      journal_(absolute) {
  look_at_journal();
}

DiagramEditor EditedFile::editor_of(const std::string& text) const { return {name(), absolute(), text, asker}; }

void EditedFile::look_at_journal() {
  if (!journal_.empty() || recovery_) return; // it is ours
  held_ = journal_.hold();
  if (!held_) return;
  recovery_ = journal_.left();
  if (!recovery_) return journal_.remove();
  if (!recovery_->entries.empty()) return;
  recovery_.reset();
  kept_journal_ = journal_.set_aside();
}

std::vector<NewFile> EditedFile::new_files() const {
  std::vector<NewFile> all = editor_.files();
  std::erase_if(all, [](const NewFile& each) { return file_text(each.path) == each.text; });
  return all;
}

std::string EditedFile::obstacle() const {
  if (!held_) return "another program edits " + name() + " and has not saved it";
  if (recovery_) return "edits of " + name() + " from before wait: take them up or drop them first";
  if (conflict_) return name() + " was changed on the disk where it was edited here: choose a side first";
  return {};
}

/// @param operations  none: all is reported as it is now
void EditedFile::note(const std::vector<Words>& operations) {
  ++revision_;
  if (!unsaved()) return begin_journal_anew();
  JournalRecord::Entry entry{operations, {}};
  if (operations.empty()) entry = {{}, text(), new_files()};
  journalled_ = journal_.add(on_disk_.value_or(std::string()), entry);
}

void EditedFile::begin_journal_anew() {
  journal_.remove();
  journalled_ = true;
  if (unsaved()) journalled_ = journal_.add(on_disk_.value_or(std::string()), {{}, text(), new_files()});
}

bool EditedFile::apply(const std::vector<Words>& operations, Diagnostics& diagnostics) {
  // the journal begins with the disk's text: where that is not what is edited, the whole text is its first line
  const bool from_disk = on_disk_ && (!journal_.empty() || !edited());
  const std::size_t files = editor_.files().size();
  if (!editor_.apply(operations, diagnostics)) return false;
  made_.resize(in_force_);
  made_.push_back(operations);
  ++in_force_;
  const bool again = from_disk && editor_.files().size() == files; // a file is not made a second time
  note(again ? operations : std::vector<Words>());
  return true;
}

std::optional<std::string> EditedFile::tried(const std::vector<Words>& operations, Diagnostics& diagnostics) const {
  DiagramEditor trial = editor_of(editor_.text());
  if (!trial.apply(operations, diagnostics)) return std::nullopt;
  return trial.text();
}

bool EditedFile::undo() {
  if (!editor_.undo()) return false;
  --in_force_;
  note({});
  return true;
}

bool EditedFile::redo() {
  if (!editor_.redo()) return false;
  ++in_force_;
  note({});
  return true;
}

bool EditedFile::save(std::string& error) {
  if (error = obstacle(); !error.empty()) return false;
  if (!gone_ && on_disk_ && is_missing(absolute())) { // no one has been notified yet
    gone_ = true;
    error = name() + " is gone from the disk\nhelp: save once more to write it again";
    return false;
  }
  if (!save_edited(editor_, absolute(), gone_ ? std::nullopt : on_disk_, error)) return false;
  on_disk_ = text();
  gone_ = missed_ = false;
  saved_ = in_force_;
  begin_journal_anew();
  return true;
}

/// The same edits once more, from the text with which the journal begins. Why one of them cannot be made, or nothing.
std::string EditedFile::replay(const JournalRecord& record, DiagramEditor& editor,
                               std::vector<std::vector<Words>>& made) {
  for (const JournalRecord::Entry& each : record.entries) {
    Diagnostics diagnostics;
    if (each.operations.empty())
      editor.rewrite(each.text, each.files);
    else if (!editor.apply(each.operations, diagnostics))
      return diagnostics.sorted().empty() ? "it was refused" : diagnostics.sorted().front().what;
    made.push_back(each.operations);
  }
  return {};
}

bool EditedFile::recover(bool take, std::string& words) {
  if (!recovery_) return true;
  if (!take) {
    journal_.remove();
    recovery_.reset();
    return true;
  }
  const JournalRecord record = *recovery_;
  DiagramEditor again = editor_of(record.base);
  std::vector<std::vector<Words>> made;
  const std::string why = replay(record, again, made);
  if (made.empty()) {
    words = "the edits of " + name() + " cannot be made again: " + why + "\nhelp: they stay in " + journal_.path();
    return false;
  }
  recovery_.reset();
  const std::size_t count = made.size();
  take_up(std::move(again), std::move(made), record.base);
  if (!why.empty() || !record.whole) {
    words = std::to_string(count) + " edits of " + name() +
            " are made again, those behind them are not: " + (why.empty() ? "the journal cannot be read there" : why);
    kept_journal_ = journal_.set_aside();
  }
  begin_journal_anew();
  return true;
}

/// Edits that begin with `base`, on what the disk has now; where both touch the same lines, someone chooses.
void EditedFile::take_up(DiagramEditor again, std::vector<std::vector<Words>> made, const std::string& base) {
  const bool as_it_was = !on_disk_ || *on_disk_ == base; // or it was removed: then it is written again
  const std::optional<std::string> merged = as_it_was ? std::nullopt : merged_text(base, again.text(), *on_disk_);
  if (merged) {
    editor_ = editor_of(*on_disk_);
    editor_.rewrite(*merged, again.files());
    made_.assign(1, {});
  } else {
    editor_ = std::move(again);
    made_ = std::move(made);
    if (!as_it_was) conflict_ = std::exchange(on_disk_, base);
  }
  in_force_ = made_.size();
  saved_ = 0;
  ++revision_;
}

void EditedFile::take_theirs() {
  if (!conflict_) return;
  on_disk_ = std::exchange(conflict_, std::nullopt);
  editor_.rewrite(*on_disk_, {});
  made_.resize(in_force_);
  made_.emplace_back();
  saved_ = ++in_force_;
  begin_journal_anew();
  ++revision_;
}

/// The edits once more, on what the disk has now; by lines, where an operation finds no longer what it names.
bool EditedFile::merge(const std::string& theirs) {
  const std::optional<std::string> by_lines = merged_text(*on_disk_, text(), theirs);
  if (!by_lines) return false;
  DiagramEditor again = editor_of(theirs);
  JournalRecord record;
  for (std::size_t i = saved_; i < in_force_; ++i) record.entries.push_back({made_[i], {}});
  std::vector<std::vector<Words>> made;
  const bool known = in_force_ >= saved_ && std::none_of(record.entries.begin(), record.entries.end(),
                                                         [](const auto& each) { return each.operations.empty(); });
  if (known && replay(record, again, made).empty()) {
    editor_ = std::move(again);
    made_ = std::move(made);
    saved_ = 0;
  } else {
    editor_.rewrite(*by_lines, editor_.files());
    made_.resize(in_force_);
    made_.emplace_back();
    saved_ = made_.size(); // the unsaved part is not a list of operations any more
  }
  in_force_ = made_.size();
  return true;
}

EditedFile::Outside EditedFile::look() {
  look_at_journal();
  if (on_disk_ && is_missing(absolute())) return look_for_it();
  const bool was_gone = std::exchange(gone_, false);
  missed_ = false;
  const std::optional<std::string> now = file_text(absolute());
  const bool settled = std::exchange(looked_at_, now) == now; // what one look alone sees may be half written
  if (!now || now == on_disk_ || now == conflict_) {
    if (!was_gone) return Outside::nothing;
    begin_journal_anew();
    return Outside::returned;
  }
  if (!settled) return Outside::nothing;
  Outside what = Outside::merged;
  if (!edited()) {
    editor_ = editor_of(*now);
    made_.clear();
    in_force_ = saved_ = 0;
    what = Outside::taken;
  } else if (text() == *now) {
    what = Outside::taken;
  } else if (!on_disk_ || !merge(*now)) {
    conflict_ = now;
    return Outside::conflict;
  }
  on_disk_ = now;
  conflict_.reset();
  ++revision_;
  if (!recovery_) begin_journal_anew();
  return what;
}

/// Once is not enough: programs that write a file again take it away for a moment.
EditedFile::Outside EditedFile::look_for_it() {
  if (gone_) return Outside::nothing;
  if (!std::exchange(missed_, true)) return Outside::nothing;
  gone_ = true;
  if (!recovery_) begin_journal_anew();
  return Outside::gone;
}

} // namespace hilda::studio
