#include "tools/studio/edit/edited_file.h"

#include "engine/xml/text/document.h"
#include "tools/edit/merging.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace hilda::studio {

std::optional<std::string> file_text(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) > XmlLimits::file_bytes)
    return std::nullopt;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

EditedFile::EditedFile(std::string name, std::string absolute, std::optional<std::string> text,
                       const std::string& otherwise)
    : editor_(std::move(name), absolute, text.value_or(otherwise)), on_disk_(std::move(text)), journal_(absolute),
      held_(journal_.hold()) {
  if (held_) recovery_ = journal_.left();
  if (held_ && !recovery_) journal_.remove(); // nothing that could be read
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

void EditedFile::note(JournalRecord::Entry entry) {
  ++revision_;
  if (!unsaved()) {
    journal_.remove();
    journalled_ = true;
    return;
  }
  // a journal that begins behind a save begins with what was saved, and cannot tell what lies before
  if (journal_.empty() && on_disk_ && entry.operations.empty()) entry.text = text();
  journalled_ = journal_.add(on_disk_.value_or(std::string()), entry);
}

bool EditedFile::apply(const std::vector<Words>& operations, Diagnostics& diagnostics) {
  // the journal begins with the disk's text: where that is not what is edited, the whole text is its first line
  const bool from_disk = on_disk_ && (!journal_.empty() || editor_.text() == *on_disk_);
  if (!editor_.apply(operations, diagnostics)) return false;
  made_.resize(in_force_);
  made_.push_back(operations);
  ++in_force_;
  note(from_disk ? JournalRecord::Entry{operations, {}} : JournalRecord::Entry{{}, text()});
  return true;
}

std::optional<std::string> EditedFile::tried(const std::vector<Words>& operations, Diagnostics& diagnostics) const {
  DiagramEditor trial(editor_.name(), editor_.absolute(), editor_.text());
  if (!trial.apply(operations, diagnostics)) return std::nullopt;
  return trial.text();
}

bool EditedFile::undo() {
  if (!editor_.undo()) return false;
  --in_force_;
  note({{}, text()});
  return true;
}

bool EditedFile::redo() {
  if (!editor_.redo()) return false;
  ++in_force_;
  note({{}, text()});
  return true;
}

bool EditedFile::save(std::string& error) {
  if (error = obstacle(); !error.empty()) return false;
  if (!save_edited(editor_, absolute(), on_disk_, error)) return false;
  on_disk_ = text();
  saved_ = in_force_;
  journal_.remove();
  journalled_ = true;
  return true;
}

/// The same edits once more, from the text with which the journal begins.
bool EditedFile::replay(const JournalRecord& record, DiagramEditor& editor,
                        std::vector<std::vector<Words>>& made) const {
  for (const JournalRecord::Entry& each : record.entries) {
    Diagnostics unheard;
    if (each.operations.empty())
      editor.rewrite(each.text);
    else if (!editor.apply(each.operations, unheard))
      return false;
    made.push_back(each.operations);
  }
  return true;
}

bool EditedFile::recover(bool take, std::string& error) {
  if (!recovery_) return true;
  if (!take) {
    journal_.remove();
    recovery_.reset();
    return true;
  }
  DiagramEditor again(name(), absolute(), recovery_->base);
  std::vector<std::vector<Words>> made;
  if (!replay(*recovery_, again, made)) {
    error = "the edits cannot be made again";
    return false;
  }
  const std::string disk = text(), base = recovery_->base;
  const std::optional<std::string> merged = base == disk ? again.text() : merged_text(base, again.text(), disk);
  if (!merged) {
    error = name() + " has changed since, where it was edited: the edits stay in " + journal_.path();
    return false;
  }
  if (base == disk) {
    editor_ = std::move(again);
    made_ = std::move(made);
  } else {
    editor_.rewrite(*merged);
    made_.assign(1, {});
  }
  in_force_ = made_.size();
  saved_ = 0;
  recovery_.reset();
  ++revision_;
  journal_.remove();
  if (unsaved()) journalled_ = journal_.add(disk, {{}, text()});
  return true;
}

void EditedFile::take_theirs() {
  if (!conflict_) return;
  on_disk_ = std::exchange(conflict_, std::nullopt);
  editor_.rewrite(*on_disk_);
  made_.resize(in_force_);
  made_.emplace_back();
  saved_ = ++in_force_;
  journal_.remove();
  ++revision_;
}

/// The edits once more, on what the disk has now; by lines, where an operation finds no longer what it names.
bool EditedFile::merge(const std::string& theirs) {
  const std::optional<std::string> by_lines = merged_text(*on_disk_, text(), theirs);
  if (!by_lines) return false;
  DiagramEditor again(name(), absolute(), theirs);
  JournalRecord record;
  for (std::size_t i = saved_; i < in_force_; ++i) record.entries.push_back({made_[i], {}});
  std::vector<std::vector<Words>> made;
  const bool known = in_force_ >= saved_ && std::none_of(record.entries.begin(), record.entries.end(),
                                                         [](const auto& each) { return each.operations.empty(); });
  if (known && replay(record, again, made)) {
    editor_ = std::move(again);
    made_ = std::move(made);
    saved_ = 0;
  } else {
    editor_.rewrite(*by_lines);
    made_.resize(in_force_);
    made_.emplace_back();
    saved_ = made_.size(); // what is not saved is no list of operations any more
  }
  in_force_ = made_.size();
  return true;
}

EditedFile::Outside EditedFile::look() {
  const std::optional<std::string> now = file_text(absolute());
  if (!now || now == on_disk_ || now == conflict_) return Outside::nothing; // who has removed it, may put it back
  Outside what = Outside::merged;
  if (!unsaved()) {
    editor_ = DiagramEditor(name(), absolute(), *now);
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
  if (!recovery_) {
    journal_.remove();
    if (unsaved()) journalled_ = journal_.add(*now, {{}, text()});
  }
  return what;
}

} // namespace hilda::studio
