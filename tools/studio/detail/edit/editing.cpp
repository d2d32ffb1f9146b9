// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/editing.h"

#include "engine/authoring/findings.h"
#include "engine/base/error.h"
#include "tools/studio/detail/desks/facts.h"

#include <algorithm>
#include <system_error>

namespace hilda::studio {
namespace {

constexpr std::chrono::milliseconds look_every{300};
constexpr std::size_t most_operations = 1000;

Json edit_refused(const std::string& error, const std::string& help = "") {
  Json reply{{"ok", false}, {"error", error}};
  if (!help.empty()) reply["help"] = help;
  return reply;
}

} // namespace

Editing::Editing(const Catalogue& catalogue, Options options)
    : catalogue_(catalogue), options_(std::move(options)), files_(options_.file, options_.load.library_path),
      checked_(checked_with(nullptr, {})), sound_(checked_->sound ? 1 : 0), looked_(Clock::now()) {
  files_.open_left(checked_->sources);
  if (!checked_->system) return;
  for (const std::string& mode : modes_of_file(options_.file, options_.load.library_path)) {
    if (mode == checked_->system->mode) continue;
    const std::unique_ptr<CheckedDiagram> checked = checked_with(nullptr, {}, mode);
    other_modes_[mode] = checked->diagnostics.sorted();
    files_.open_left(checked->sources);
  }
}

RecordedFiles Editing::texts_with(const EditedFile* other, const std::string& text) const {
  RecordedFiles texts;
  for (const auto& each : files_.edited()) {
    const std::string& now = each.get() == other ? text : each->text();
    if (now != each->on_disk() || each->gone()) texts.add(each->name(), now);
    for (const NewFile& made : each->new_files()) texts.add(shown_path(made.path), made.text);
  }
  return texts;
}

RecordedFiles Editing::unsaved_texts() const { return texts_with(nullptr, {}); }

bool Editing::unsaved() const {
  return std::any_of(files_.edited().begin(), files_.edited().end(), [](const auto& each) { return each->unsaved(); });
}

std::unique_ptr<CheckedDiagram> Editing::checked_with(const EditedFile* other, const std::string& text,
                                                      const std::string& mode) const {
  const RecordedFiles texts = texts_with(other, text);
  LoadOptions load = options_.load;
  load.recorded = texts.empty() ? nullptr : &texts;
  if (!mode.empty()) load.mode = mode;
  return check_diagram(options_.file, load, catalogue_);
}

EditedFile* Editing::document_in(const Json& request, Json& refusal) {
  const std::string name = request.value("document", std::string());
  std::string error;
  EditedFile* const file = name.empty() ? &files_.main() : files_.document(name, error);
  if (file == nullptr) refusal = edit_refused(error, "open it by 'hilda studio' itself");
  return file;
}

EditedFile* Editing::editable_in(const Json& request, Json& refusal) {
  EditedFile* const file = document_in(request, refusal);
  if (file == nullptr) return nullptr;
  const std::string before = file->obstacle();
  file->look_at_journal();
  if (const std::string why = file->obstacle(); !why.empty()) {
    if (why != before) tell("");
    refusal = edit_refused(why);
    return nullptr;
  }
  if (request.value("revision", -1) == file->revision()) return file;
  refusal =
      edit_refused(file->name() + " has been edited meanwhile: it is at revision " + std::to_string(file->revision()),
                   "look at it as it is now, and do it once more with that 'revision'");
  refusal["revision"] = file->revision();
  return nullptr;
}

/// Lists of words; the file that `extract` makes lies next to the document.
std::vector<Words> Editing::operations_in(const Json& request, const EditedFile& file, std::string& error) const {
  std::vector<Words> all;
  const auto list = request.find("operations");
  const bool plain = list != request.end() && list->is_array() && !list->empty() && list->size() <= most_operations;
  if (plain)
    for (const Json& each : *list) {
      Words words;
      if (each.is_array() && !each.empty())
        for (const Json& word : each)
          if (word.is_string()) words.push_back(word.get<std::string>());
      if (words.empty() || words.size() != each.size()) break;
      if (words.front() == "extract" && words.size() == 4) words[3] = OpenFiles::beside(file, words[3], error);
      all.push_back(std::move(words));
    }
  if (!plain || all.size() != list->size())
    error = R"('operations' is a list of lists of words: [["connect", "a.y", "b.u"]], at most 1000)";
  return all;
}

Json Editing::document_json(const EditedFile& file) const {
  Json made{{"document", file.name()},     {"revision", file.revision()}, {"unsaved", file.unsaved()},
            {"undo", file.can_undo()},     {"redo", file.can_redo()},     {"obstacle", file.obstacle()},
            {"journal", file.journalled()}};
  made["recovery"] = file.recovery() ? Json(file.recovery()->entries.size()) : Json(nullptr);
  made["conflict"] = file.conflict().has_value();
  made["gone"] = file.gone();
  made["kept_journal"] = file.kept_journal().empty() ? Json(nullptr) : Json(shown_path(file.kept_journal()));
  return made;
}

const CheckedDiagram* Editing::checked_in(const Json& request, Json& refusal) {
  const std::string mode = request.value("mode", std::string());
  if (mode.empty() || mode == mode_of_run()) return checked_.get();
  if (!other_modes_.contains(mode)) {
    std::string known = mode_of_run();
    for (const auto& [each, before] : other_modes_) known += ", " + each;
    refusal = edit_refused("the diagram has no mode " + in_quotes(mode), "its modes: " + known);
    return nullptr;
  }
  std::unique_ptr<CheckedDiagram>& checked = in_other_modes_[mode];
  if (!checked) checked = checked_with(nullptr, {}, mode);
  return checked.get();
}

Json Editing::modes_json() const {
  Json all = Json::array({mode_of_run()});
  for (const auto& [mode, before] : other_modes_) all.push_back(mode);
  return all;
}

Json Editing::documents_json() const {
  Json all = Json::array();
  for (const auto& each : files_.edited()) all.push_back(document_json(*each));
  return all;
}

Json Editing::diagnostics() const {
  Json all = diagnostics_json(checked_->diagnostics.sorted());
  for (const auto& [mode, each] : brought_) {
    all.push_back(diagnostic_json(each));
    all.back()["what"] = each.what + " (in mode " + mode + ")";
  }
  return all;
}

void Editing::tell(const std::string& note) {
  options_.tell({{"op", "documents"},
                 {"documents", documents_json()},
                 {"diagnostics", diagnostics()},
                 {"sound", checked_->sound},
                 {"note", note}});
}

Json Editing::changed(const EditedFile& file, const std::string& note) {
  checked_ = checked_with(nullptr, {});
  if (checked_->sound) ++sound_;
  files_.open_left(checked_->sources);
  brought_.clear();
  in_other_modes_.clear();
  const std::vector<Diagnostic> here = checked_->diagnostics.sorted();
  for (const auto& [mode, before] : other_modes_) {
    in_other_modes_[mode] = checked_with(nullptr, {}, mode);
    files_.open_left(in_other_modes_[mode]->sources);
    for (Diagnostic& each : new_errors(before, in_other_modes_[mode]->diagnostics.sorted()))
      if (std::none_of(here.begin(), here.end(), [&](const auto& other) { return same_finding(each, other); }))
        brought_.emplace_back(mode, std::move(each));
  }
  tell(note);
  return {{"ok", true}, {"revision", file.revision()}, {"remarks", file.remarks()}, {"diagnostics", diagnostics()}};
}

void Editing::look() {
  if (Clock::now() - looked_ < look_every) return;
  looked_ = Clock::now();
  for (std::size_t i = 0; i < files_.edited().size(); ++i) look_at(*files_.edited()[i]); // a check may open another one
}

void Editing::look_at(EditedFile& file) {
  const std::string& name = file.name();
  const std::string before = file.obstacle();
  switch (file.look()) {
  case EditedFile::Outside::nothing:
    if (file.obstacle() != before) tell("");
    break;
  case EditedFile::Outside::taken: changed(file, name + " was changed on the disk, and read again"); break;
  case EditedFile::Outside::merged:
    changed(file, name + " was changed on the disk; your edits are made on it as it is now");
    break;
  case EditedFile::Outside::conflict:
    changed(file, name + " was changed on the disk where you have edited it: choose a side");
    break;
  case EditedFile::Outside::gone: changed(file, name + " is gone from the disk: 'Save' writes it again"); break;
  case EditedFile::Outside::returned: changed(file, name + " is on the disk again"); break;
  }
}

std::vector<std::string> Editing::kept() const {
  std::vector<std::string> all;
  for (const auto& each : files_.edited()) {
    if (!each->unsaved()) continue;
    const std::string where = shown_path(each->journal_path());
    all.push_back(each->name() + (each->journalled()
                                      ? " has edits that are not saved: they lie in " + where +
                                            ", and the next 'hilda studio' offers them"
                                      : " has edits that are not saved and are lost: " + where + " cannot be written"));
  }
  return all;
}

std::vector<std::string> Editing::left() const {
  std::vector<std::string> all;
  for (const auto& each : files_.edited()) {
    if (each->recovery()) {
      const std::size_t count = each->recovery()->entries.size();
      all.push_back(std::to_string(count) + (count == 1 ? " edit of " : " edits of ") + each->name() +
                    (count == 1 ? " was" : " were") + " not saved when hilda ended: the page offers them");
    }
    if (!each->kept_journal().empty())
      all.push_back("the journal of edits of " + each->name() + " cannot be read: it is kept as " +
                    shown_path(each->kept_journal()));
  }
  return all;
}

} // namespace hilda::studio
