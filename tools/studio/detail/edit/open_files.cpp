// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/edit/open_files.h"

#include "engine/authoring/spans.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace hilda::studio {
namespace {

namespace fs = std::filesystem;

std::string canonical_path(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path : absolute.string();
}

std::string empty_diagram(const std::string& file) {
  std::string name = fs::path(file).stem().string();
  for (char& c : name)
    if (std::string_view("\"<>&").find(c) != std::string_view::npos) c = '_';
  return "<diagram format=\"1\" name=\"" + name + "\" period=\"1 ms\">\n</diagram>\n";
}

/// @param exactly  none where there is one in other modes alone; else any of these
const XmlNode* subsystem_called(const XmlNode& body, std::string_view name, std::string_view mode, bool exactly) {
  const XmlNode* any = nullptr;
  for (const XmlNode* each : called(body, NameKind::element, name)) {
    if (!each->is("subsystem")) continue;
    if (each->value("mode") == mode || each->find("mode") == nullptr) return each;
    if (any == nullptr && !exactly) any = each;
  }
  return any;
}

} // namespace

OpenFiles::OpenFiles(const std::string& file, const std::vector<std::string>& library_path)
    : library_path_(library_path) {
  const std::string absolute = canonical_path(file);
  folder_ = fs::path(absolute).parent_path().string();
  edited_.push_back(std::make_unique<EditedFile>(file, absolute, file_text(absolute), empty_diagram(file)));
}

bool OpenFiles::in_folder(const std::string& absolute) const {
  const fs::path relative = fs::path(absolute).lexically_relative(folder_);
  return !relative.empty() && *relative.begin() != "..";
}

EditedFile* OpenFiles::document(const std::string& name, std::string& error) {
  const std::string absolute = canonical_path(name);
  for (const auto& each : edited_)
    if (each->name() == name || each->absolute() == absolute) return each.get();
  if (!in_folder(absolute) || fs::path(absolute).extension() != ".xml") {
    error = "'" + name + "' does not lie in the folder of the diagram, and is not edited from here";
    return nullptr;
  }
  for (const auto& each : edited_)
    for (const NewFile& made : each->new_files())
      if (canonical_path(made.path) == absolute) {
        error = "'" + name + "' is not written yet: save first";
        return nullptr;
      }
  std::optional<std::string> text = file_text(absolute);
  if (!text) {
    error = "there is no file '" + name + "'";
    return nullptr;
  }
  edited_.push_back(std::make_unique<EditedFile>(shown_path(absolute), absolute, std::move(text), ""));
  return edited_.back().get();
}

void OpenFiles::open_left(const Sources& sources) {
  for (const auto& file : sources.files()) {
    const std::string absolute = canonical_path(file->absolute);
    std::string unheard; // not of the folder: no one edits it from here
    if (EditJournal::is_there(absolute)) (void)document(absolute, unheard);
  }
}

std::shared_ptr<const OpenText> OpenFiles::text_of(const std::string& absolute) {
  std::string name = shown_path(absolute);
  std::optional<std::string> text;
  for (const auto& each : edited_) {
    if (each->absolute() == absolute) name = each->name(), text = each->text();
    if (!text)
      for (const NewFile& made : each->new_files())
        if (canonical_path(made.path) == absolute) text = made.text;
  }
  if (!text) text = file_text(absolute);
  if (!text) return nullptr;
  std::shared_ptr<const OpenText>& known = read_[absolute];
  if (known && known->text == *text) return known;
  auto made = std::make_shared<OpenText>(OpenText{name, absolute, std::move(*text), {}});
  Diagnostics unheard; // the check says what is wrong
  made->spans = scan_spans({made->name, made->absolute, made->text}, unheard);
  return known = std::move(made);
}

std::shared_ptr<const OpenText> OpenFiles::included(const XmlNode& subsystem, const OpenText& from) {
  const std::string src(subsystem.value("src"));
  if (src.empty()) return nullptr;
  const std::string near = (fs::path(from.absolute).parent_path() / src).lexically_normal().string();
  for (const auto& each : edited_) // not written yet
    for (const NewFile& made : each->new_files())
      if (canonical_path(made.path) == near) return text_of(near);
  SearchRoots roots(library_path_);
  const Result<std::string> found = roots.find(src, from.absolute);
  return found ? text_of(*found) : nullptr;
}

std::optional<OpenBody> OpenFiles::body(const std::string& path, const std::string& mode, bool exactly) {
  OpenBody at{text_of(main().absolute()), nullptr, {}};
  if (!at.file) at.file = std::make_shared<OpenText>(OpenText{main().name(), main().absolute(), main().text(), {}});
  if (!at.file->spans) return path.empty() ? std::optional(at) : std::nullopt;
  at.body = &at.file->spans->root();
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t dot = std::min(path.find('.', begin), path.size());
    const std::string name = path.substr(begin, dot - begin);
    const XmlNode* next = subsystem_called(*at.body, name, mode, exactly);
    if (next == nullptr) return std::nullopt;
    if (is_inline(*next)) {
      const bool variant = called(*at.body, NameKind::element, name).size() > 1;
      at.local += name + (variant ? "@" + std::string(next->value("mode")) : "") + ".";
      at.body = next;
    } else {
      at.file = included(*next, *at.file);
      if (!at.file || !at.file->spans) return std::nullopt;
      at.body = &at.file->spans->root();
      at.local.clear();
    }
    begin = dot + 1;
  }
  return at;
}

std::string OpenFiles::beside(const EditedFile& file, const std::string& name, std::string& error) {
  const fs::path wanted(name);
  const bool climbs = std::any_of(wanted.begin(), wanted.end(), [](const fs::path& each) { return each == ".."; });
  if (name.empty() || wanted.is_absolute() || climbs || name.find('\0') != std::string::npos) {
    error = "a new file lies in the folder of the diagram or below it: its name begins with no '/' and has no '..'";
    return {};
  }
  return (fs::path(file.absolute()).parent_path() / wanted).string();
}

} // namespace hilda::studio
