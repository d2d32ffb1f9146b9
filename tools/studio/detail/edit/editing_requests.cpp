// SPDX-License-Identifier: BSD-3-Clause
// What Editing answers.
#include "engine/authoring/clipping.h"
#include "engine/authoring/unified_diff.h"
#include "tools/graphics/picture_file.h"
#include "tools/studio/detail/desks/facts.h"
#include "tools/studio/detail/edit/fitting_ports.h"
#include "tools/studio/detail/edit/palette.h"
#include "tools/studio/editing.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace hilda::studio {
namespace {

/// @param error  a sentence, and behind "\nhelp: " what to do
Json not_done(const std::string& error) {
  constexpr std::string_view help = "\nhelp: ";
  const std::size_t at = error.find(help);
  Json reply{{"ok", false}, {"error", error.substr(0, at)}};
  if (at != std::string::npos) reply["help"] = error.substr(at + help.size());
  return reply;
}

Json not_done(const Diagnostics& diagnostics) {
  const std::vector<Diagnostic> all = diagnostics.sorted();
  Json reply = not_done(all.empty() ? "it was refused" : all.front().what);
  if (!all.empty()) reply["help"] = all.front().help;
  reply["diagnostics"] = diagnostics_json(all);
  return reply;
}

/// The file's text in the last commit; none, where git knows of none.
std::optional<std::string> committed_text(const std::string& absolute) {
  const std::filesystem::path path(absolute);
  const svg::Answer answer = svg::ask_program({"git", "-C", path.parent_path().string(), "--no-optional-locks",
                                               "cat-file", "blob", "HEAD:./" + path.filename().string()},
                                              "");
  return answer.started && answer.status == 0 ? std::optional(answer.out) : std::nullopt;
}

} // namespace

const std::vector<Editing::Entry>& Editing::table() {
  static const std::vector<Entry> all{
      {"documents", &Editing::documents}, {"view", &Editing::view},      {"edit", &Editing::edit},
      {"copy", &Editing::copy},           {"paste", &Editing::paste},    {"try", &Editing::try_out},
      {"undo", &Editing::undo},           {"redo", &Editing::redo},      {"write", &Editing::write},
      {"diff", &Editing::diff},           {"fits", &Editing::fits},      {"palette", &Editing::palette},
      {"recover", &Editing::recover},     {"resolve", &Editing::resolve}};
  return all;
}

std::vector<std::string> Editing::requests() {
  std::vector<std::string> ops;
  for (const Entry& each : table()) ops.emplace_back(each.op);
  return ops;
}

std::optional<Json> Editing::answer(const std::string& op, const Json& request) {
  for (const Entry& each : table()) {
    if (op != each.op) continue;
    const std::size_t known = files_.edited().size();
    Json reply = (this->*each.answer)(request);
    if (files_.edited().size() != known) tell("");
    return reply;
  }
  return std::nullopt;
}

Json Editing::documents(const Json&) {
  return {{"ok", true}, {"documents", documents_json()}, {"diagnostics", diagnostics()}, {"sound", checked_->sound}};
}

const Json* Editing::drawing(const Json& request, const CheckedDiagram& checked) {
  if (!checked.system) return nullptr;
  const std::vector<Diagnostic>& found = checked.diagnostics.all();
  const bool whole = std::all_of(found.begin(), found.end(), [](const Diagnostic& each) {
    return each.severity == Diagnostic::Severity::warning || each.code == "algebraic-loop";
  });
  std::string nothing; // a subsystem without blocks
  return drawings_[checked.system->mode].last(*checked.system, checked.sources, request, nothing, whole);
}

Json Editing::view(const Json& request) {
  const std::string inside = request.value("inside", std::string());
  Json refusal;
  const CheckedDiagram* const checked = checked_in(request, refusal);
  if (checked == nullptr) return refusal;
  const std::string mode = checked == checked_.get() ? mode_of_run() : request["mode"].get<std::string>();
  const std::optional<OpenBody> body = files_.body(inside, mode, request.contains("mode"));
  if (!body) return not_done("nothing that could be edited is called " + in_quotes(inside));
  std::string error;
  EditedFile* const file = files_.document(body->file->name, error);
  Json reply{{"ok", true},
             {"inside", inside},
             {"document", body->file->name},
             {"local", body->local},
             {"revision", file != nullptr ? file->revision() : 0},
             {"read_only", file != nullptr ? file->obstacle() : error},
             {"mode", mode},
             {"modes", modes_json()}};
  reply["attributes"] = Json::object();
  if (body->body != nullptr)
    for (const auto& [key, attribute] : body->body->attributes) reply["attributes"][key] = attribute.value;
  const Json none = nullptr;
  const bool draw = request.value("draw", true);
  const Json* const scene = draw ? drawing(request, *checked) : nullptr;
  const std::string place = inside + " " + mode + " " + (draw ? request.value("open", Json::array()).dump() : "-");
  seen_views_.tell(reply, place, request.value("since", std::int64_t{0}),
                   elements_json(*body, inside, *checked, files_, catalogue_), wires_json(*body),
                   draw && scene == nullptr ? &none : scene);
  return reply;
}

Json Editing::edit(const Json& request) {
  Json refusal;
  EditedFile* const file = editable_in(request, refusal);
  if (file == nullptr) return refusal;
  std::string error;
  const std::vector<Words> operations = operations_in(request, *file, error);
  if (!error.empty()) return not_done(error);
  Diagnostics diagnostics;
  if (!file->apply(operations, diagnostics)) return not_done(diagnostics);
  return changed(*file);
}

std::optional<OpenBody> Editing::body_in(const Json& request, Json& refusal) {
  const std::string inside = request.value("inside", std::string());
  if (checked_in(request, refusal) == nullptr) return std::nullopt;
  const std::string mode = request.value("mode", std::string());
  std::optional<OpenBody> body = files_.body(inside, mode.empty() ? mode_of_run() : mode, !mode.empty());
  if (body && body->body != nullptr) return body;
  refusal = not_done("nothing that could be edited is called " + in_quotes(inside));
  return std::nullopt;
}

Json Editing::copy(const Json& request) {
  Json refusal;
  const std::optional<OpenBody> body = body_in(request, refusal);
  if (!body) return refusal;
  std::vector<std::string> names;
  for (const Json& each : request.value("names", Json::array())) names.push_back(each.get<std::string>());
  return {{"ok", true}, {"text", clipping_of(body->file->text, *body->body, names)}};
}

/// The text comes from a clipboard, and may be anyone's: it becomes operations, which are refused as others are.
Json Editing::paste(const Json& request) {
  Json refusal;
  const std::optional<OpenBody> body = body_in(request, refusal);
  if (!body) return refusal;
  Json of_file = request;
  of_file["document"] = body->file->name;
  EditedFile* const file = editable_in(of_file, refusal);
  if (file == nullptr) return refusal;
  std::set<std::string> taken;
  for (const XmlNode& each : body->body->children) taken.emplace(each.value("name"));
  std::string error;
  const auto pasting = pasting_of(request.value("text", std::string()), body->local, std::move(taken), error);
  if (!pasting) return not_done(error);
  Diagnostics diagnostics;
  if (!file->apply(pasting->operations, diagnostics)) return not_done(diagnostics);
  Json reply = changed(*file);
  reply["names"] = pasting->names;
  return reply;
}

/// What an edit would bring, as one types; nothing changes.
Json Editing::try_out(const Json& request) {
  Json refusal;
  EditedFile* const file = document_in(request, refusal);
  if (file == nullptr) return refusal;
  std::string error;
  const std::vector<Words> operations = operations_in(request, *file, error);
  if (!error.empty()) return not_done(error);
  Diagnostics diagnostics;
  const CheckedDiagram* const before = checked_in(request, refusal);
  if (before == nullptr) return refusal;
  const std::optional<std::string> text = file->tried(operations, diagnostics);
  if (!text) return not_done(diagnostics);
  const auto found = checked_with(file, *text, request.value("mode", std::string()))->diagnostics.sorted();
  return {{"ok", true},
          {"diagnostics", diagnostics_json(found)},
          {"fresh", diagnostics_json(new_errors(before->diagnostics.sorted(), found))}};
}

Json Editing::go(const Json& request, bool (EditedFile::*step)(), const char* no_further) {
  Json refusal;
  EditedFile* const file = editable_in(request, refusal);
  if (file == nullptr) return refusal;
  return (file->*step)() ? changed(*file) : not_done(no_further);
}

Json Editing::undo(const Json& request) { return go(request, &EditedFile::undo, "there is nothing to take back"); }

Json Editing::redo(const Json& request) { return go(request, &EditedFile::redo, "there is nothing to make again"); }

/// Included files first: the diagram names them.
Json Editing::write(const Json& request) {
  const std::string only = request.value("document", std::string());
  Json written = Json::array();
  const auto& all = files_.edited();
  for (auto each = all.rbegin(); each != all.rend(); ++each) {
    EditedFile& file = **each;
    if (!file.unsaved() || (!only.empty() && file.name() != only)) continue;
    std::string error;
    if (!file.save(error)) return not_done(error);
    written.push_back(file.name());
  }
  tell("");
  return {{"ok", true}, {"written", std::move(written)}};
}

Json Editing::diff(const Json& request) {
  Json refusal;
  EditedFile* const file = document_in(request, refusal);
  if (file == nullptr) return refusal;
  const std::string against = request.value("against", std::string("file"));
  std::optional<std::string> before = file->on_disk();
  if (against == "commit") before = committed_text(file->absolute());
  if (against == "disk") before = file->conflict() ? file->conflict() : file_text(file->absolute());
  if (against != "file" && against != "commit" && against != "disk")
    return not_done("'against' is file, commit or disk");
  if (against == "commit" && !before) return not_done("git knows no last commit of " + file->name());
  std::string text = unified_diff(before.value_or(""), file->text(), file->name(), file->name());
  for (const NewFile& each : file->new_files()) text += unified_diff("", each.text, "/dev/null", shown_path(each.path));
  return {{"ok", true}, {"against", against}, {"diff", text}};
}

Json Editing::fits(const Json& request) {
  const std::string inside = request.value("inside", std::string());
  const std::string port = request.value("port", std::string());
  Json refusal;
  const std::optional<OpenBody> body = body_in(request, refusal);
  if (!body) return refusal;
  std::string error;
  const EditedFile* const file = files_.document(body->file->name, error);
  if (file == nullptr) return not_done(error);
  const CheckedDiagram& checked = *checked_in(request, refusal);
  const Json elements = elements_json(*body, inside, checked, files_, catalogue_);
  const std::vector<Diagnostic> before = checked.diagnostics.sorted();
  const std::string mode = request.value("mode", std::string());
  const PortTrial trial = [&](const std::string& from, const std::string& to) -> std::string {
    Diagnostics diagnostics;
    const auto text = file->tried({{"connect", body->local + from, body->local + to}}, diagnostics);
    if (!text) return diagnostics.sorted().front().what;
    const std::vector<Diagnostic> fresh = new_errors(before, checked_with(file, *text, mode)->diagnostics.sorted());
    return fresh.empty() ? std::string() : fresh.front().what;
  };
  Json ports = fitting_ports(elements, port, trial, error);
  if (!error.empty()) return not_done(error);
  return {{"ok", true}, {"port", port}, {"ports", std::move(ports)}};
}

Json Editing::palette(const Json& request) {
  if (request.contains("words"))
    return {{"ok", true}, {"types", palette_names(catalogue_, request.value("words", std::string()))}};
  return {{"ok", true}, {"blocks", palette_json(catalogue_)}};
}

Json Editing::recover(const Json& request) {
  Json refusal;
  EditedFile* const file = document_in(request, refusal);
  if (file == nullptr) return refusal;
  if (!file->recovery()) return not_done("no edits of " + file->name() + " wait");
  std::string words;
  if (!file->recover(request.value("take", false), words)) return not_done(words);
  if (words.empty() && file->conflict())
    words = file->name() + " was changed on the disk where it was edited: choose a side";
  return changed(*file, words);
}

/// A file that was changed or removed on the disk: what was edited here can be kept as another file; then the text of
/// the disk is taken where there is one.
Json Editing::resolve(const Json& request) {
  Json refusal;
  EditedFile* const file = document_in(request, refusal);
  if (file == nullptr) return refusal;
  const std::string copy = request.value("copy", std::string());
  if (!file->conflict() && !file->gone()) return not_done(file->name() + " was not changed elsewhere");
  if (!file->conflict() && copy.empty())
    return not_done(file->name() + " is gone from the disk\nhelp: 'write' writes it again, 'copy' names another file");
  if (!copy.empty()) {
    std::string error;
    const std::string path = OpenFiles::beside(*file, copy, error);
    if (path.empty()) return not_done(error);
    if (!path.ends_with(".xml") || std::filesystem::exists(path))
      return not_done("a copy takes a name that ends with .xml and that no file has");
    OutputFiles outputs;
    if (!write_file(path, file->text(), FileContent::diagram, outputs, error)) return not_done(error);
  }
  file->take_theirs();
  return changed(*file);
}

} // namespace hilda::studio
