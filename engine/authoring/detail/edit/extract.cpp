// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/detail/edit/moving.h"
#include "engine/authoring/detail/edit/references.h"
#include "engine/authoring/operations.h"
#include "engine/base/error.h"
#include "engine/diagram/search_roots.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace hilda::authoring {
namespace {

namespace fs = std::filesystem;

/// The file as the diagram names it: relative to the diagram's folder, or below it. Empty after a report.
std::string source_name(EditContext& context, const XmlNode& subsystem, const std::string& file) {
  std::error_code error;
  const fs::path folder = fs::weakly_canonical(fs::path(context.absolute).parent_path(), error);
  const fs::path target = fs::weakly_canonical(fs::absolute(file), error);
  const fs::path relative = target.lexically_relative(folder);
  const auto refuse = [&](const std::string& what, const std::string& help) {
    context.diagnostics.error("edit-place", context.at(subsystem), what, help);
    return std::string();
  };
  if (target.extension() != ".xml")
    return refuse("a diagram cannot be called " + hilda::base::in_quotes(file), "give it a name that ends with .xml");
  if (fs::exists(target, error))
    return refuse(hilda::base::in_quotes(file) + " is there already",
                  "name a file that is not there; nothing is overwritten");
  if (!fs::is_directory(target.parent_path(), error))
    return refuse(hilda::base::in_quotes(file) + " cannot be made: there is no such folder", "make the folder first");
  if (relative.empty() || *relative.begin() == "..")
    return refuse(hilda::base::in_quotes(file) + " lies outside of the diagram's folder",
                  "choose a place in " + hilda::base::in_quotes(folder.filename().string()) +
                      " or below it, from where the files that it names are found as before");
  return relative.generic_string();
}

/// The declaration that an outer parameter gets in the file, with what it says of itself.
NewElement declaration(const Body& around, const std::string& name) {
  NewElement made{"parameter", {{"name", name}}};
  for (auto body = around.rbegin(); body != around.rend(); ++body) {
    const auto there = called(**body, NameKind::parameter, name);
    if (there.empty()) continue;
    if (there.front()->find("doc") != nullptr) made.attributes.emplace_back("doc", there.front()->value("doc"));
    break;
  }
  return made;
}

/// Files are looked for from the one that names them: what the body names must be the same file from its new place.
class SameFiles {
public:
  SameFiles(EditContext& context, const XmlNode& subsystem, const std::string& src)
      : context_(context), subsystem_(subsystem), src_(src),
        place_((fs::path(context.absolute).parent_path() / src).string()) {}

  /// False after a report.
  bool in(const XmlNode& body) {
    bool same = true;
    for (const XmlNode& child : body.children) {
      for (const auto& [name, attribute] : child.attributes)
        if (may_name_file(child, name)) same = holds(attribute.value, child.is("subsystem") && name == "src") && same;
      same = in(child) && same;
    }
    return same;
  }
  /// Of a parameter from around, whose value may be a path.
  bool of(const Body& around, const std::string& parameter) {
    for (auto body = around.rbegin(); body != around.rend(); ++body)
      for (const XmlNode* each : called(**body, NameKind::parameter, parameter))
        if (!holds(each->value("value"), false)) return false;
    return true;
  }

private:
  /// Which parameters of a block are paths the catalogue knows, which an edit does without: a value that is a file's
  /// name is taken for one.
  static bool may_name_file(const XmlNode& node, std::string_view attribute) {
    if (node.is("parameter")) return attribute == "value";
    return is_element(node) && attribute != "name" && attribute != "type" && attribute != "mode" && attribute != "doc";
  }

  bool holds(std::string_view text, bool included) {
    if (text.empty() || text.find("${") != std::string_view::npos) return true;
    const std::string wanted(text);
    const Result<std::string> before = roots_.find(wanted, context_.absolute), after = roots_.find(wanted, place_);
    // A block's file that is not next to the new place is searched for around it. A file found only in the library
    // stays.
    if (after ? before && *before == *after : !before || !included) return true;
    const std::string now = after ? "would be " + hilda::base::in_quotes(shown_path(*after)) : "would not be found";
    context_.diagnostics.error("edit-place", context_.at(subsystem_),
                               hilda::base::in_quotes(wanted) + ", which " +
                                   hilda::base::in_quotes(subsystem_.value("name")) + " names, " + now + " from " +
                                   hilda::base::in_quotes(src_) + ", and is " +
                                   (before ? hilda::base::in_quotes(shown_path(*before)) : "another file") + " here",
                               "choose a place from where it is the same file, such as the diagram's own folder");
    return false;
  }

  EditContext& context_;
  const XmlNode& subsystem_;
  const std::string& src_;
  const std::string place_;
  SearchRoots roots_;
};

} // namespace

std::optional<Change> extract_subsystem(EditContext& context, const Words& words) {
  if (words.size() != 3 || words[1] != "to")
    return misused(context, "'extract' needs a subsystem and a file", "write extract filter to filter.xml");
  const std::optional<Named> named = find_named(context, words[0], {NameKind::element});
  if (!named) return std::nullopt;
  const XmlNode& node = *named->twins.front();
  if (named->twins.size() > 1)
    return misused(context, hilda::base::in_quotes(named->name) + " exists in several modes",
                   "write extract " + words[0] + "@" + std::string(node.value("mode")) + " to " + words[2]);
  if (!is_inline(node) || node.close.begin == node.close.end) {
    context.diagnostics.error("edit-place", context.at(node),
                              hilda::base::in_quotes(named->name) + " has no body in this file",
                              "only a subsystem whose elements are inside it can be extracted");
    return std::nullopt;
  }
  const std::string src = source_name(context, node, words[2]);
  if (src.empty()) return std::nullopt;
  const std::vector<std::string> outer = free_names(node);
  SameFiles files(context, node, src);
  bool same = files.in(node);
  for (const std::string& name : outer) same = files.of(named->body, name) && same;
  if (!same) return std::nullopt;

  const Layout& layout = context.layout;
  const std::string end = layout.line_end(node.whole.begin), less = layout.indent(node);
  const XmlAttribute& last = node.attributes.back().second;
  std::string text = std::string("<diagram format=") + last.quote + "1" + last.quote + " name=" + last.quote +
                     named->name + last.quote + ">";
  const XmlNode* like = model_for(context, node, "parameter");
  for (const std::string& name : outer)
    text += end + layout.step() + layout.written(declaration(named->body, name), like);
  std::string body = indented(context, {node.open.end, node.close.begin}, "", less);
  while (!body.empty() && (body.back() == ' ' || body.back() == '\t')) body.pop_back();
  text += body + (body.ends_with('\n') ? "" : end) + "</diagram>" + end;

  Change change;
  change.files.push_back({words[2], std::move(text)});
  const auto attribute = [&](const std::string& name, const std::string& value) {
    return " " + name + "=" + last.quote + Layout::escaped(value, last.quote) + last.quote;
  };
  change.edit.insert(node.find("name")->whole.end, attribute("src", src));
  std::string forwarded;
  for (const std::string& name : outer) forwarded += attribute(name, "${" + name + "}");
  change.edit.insert(last.whole.end, forwarded);
  change.edit.replace({node.open.end - 1, node.whole.end}, "/>");
  return change;
}

} // namespace hilda::authoring
