// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/reader.h"

#include "engine/base/error.h"
#include "engine/diagram/detail/xml/elements.h"
#include "engine/diagram/document.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace hilda::diagram {
namespace {

namespace fs = std::filesystem;

/// Links resolved where it exists.
std::string absolute_of(const std::string& path) {
  std::error_code error;
  const fs::path absolute = fs::weakly_canonical(fs::absolute(path, error), error);
  return error ? path : absolute.string();
}

void check_root(const XmlContext& context, const ParsedNode& root) {
  if (const ParsedNode* more = root.next_element(); more != nullptr)
    context.diagnostics->error("second-root", context.at(more->line), "a second element follows the <diagram>",
                               "a file holds one diagram; move it inside",
                               {{context.at(root.line), "the diagram begins here"}});
}

} // namespace

std::shared_ptr<const DiagramDecl> DiagramReader::file(const std::string& path) {
  return read(absolute_of(path), path, {});
}

std::shared_ptr<const DiagramDecl> DiagramReader::text(const std::string& name, std::string text) {
  std::error_code error;
  const Sources::File& source = sources_.add(name, (fs::current_path(error) / name).string(), std::move(text));
  return parse(source);
}

std::string DiagramReader::find(const std::string& src, Location where) {
  const auto from = absolute_.find(where.file);
  const Result<std::string> found = roots_.find(src, from == absolute_.end() ? std::string() : from->second);
  if (found) return *found;
  const Error& why = found.error();
  diagnostics_.error(why.code.c_str(), where, why.what, why.help);
  return {};
}

std::shared_ptr<const DiagramDecl> DiagramReader::include(const std::string& src, Location where) {
  const std::string* recorded =
      recorded_ != nullptr && where.file != nullptr ? recorded_->included(src, *where.file) : nullptr;
  const std::string absolute = recorded != nullptr ? absolute_of(*recorded) : find(src, where);
  if (absolute.empty()) return nullptr;
  const auto again =
      std::find_if(open_.begin(), open_.end(), [&](const Included& one) { return one.absolute == absolute; });
  if (again != open_.end()) {
    std::vector<Note> hops;
    for (auto hop = again + 1; hop != open_.end(); ++hop)
      hops.push_back({hop->asked, "which includes " + hilda::base::in_quotes(shown_path(hop->absolute))});
    if (!hops.empty())
      hops.front().text = hilda::base::in_quotes(shown_path(again->absolute)) + " includes " +
                          hilda::base::in_quotes(shown_path(again[1].absolute));
    diagnostics_.error("include-cycle", where, hilda::base::in_quotes(src) + " includes itself",
                       "a diagram cannot be a part of itself; remove one of the inclusions", std::move(hops));
    return nullptr;
  }
  return read(absolute, recorded != nullptr ? *recorded : shown_path(absolute), where);
}

std::shared_ptr<const DiagramDecl> DiagramReader::read(const std::string& absolute, const std::string& shown,
                                                       Location asked) {
  if (const auto known = read_.find(absolute); known != read_.end()) return known->second;
  if (open_.size() >= static_cast<std::size_t>(XmlLimits::nesting)) {
    diagnostics_.error("include-too-deep", asked,
                       "files include one another more than " + std::to_string(XmlLimits::nesting) + " deep",
                       "flatten the hierarchy");
    return nullptr;
  }
  if (read_.size() >= XmlLimits::files || bytes_ >= XmlLimits::all_bytes) {
    diagnostics_.error("too-many-files", asked,
                       "the diagram includes more than " + std::to_string(XmlLimits::files) + " files or " +
                           std::to_string(XmlLimits::all_bytes) + " bytes",
                       "divide it");
    return nullptr;
  }
  std::shared_ptr<const DiagramDecl> diagram;
  const std::size_t most = std::min(XmlLimits::file_bytes, XmlLimits::all_bytes - bytes_);
  if (const Sources::File* source = read_source(absolute, shown, most, asked, sources_, diagnostics_, recorded_)) {
    bytes_ += source->text.size();
    open_.push_back({absolute, asked});
    diagram = parse(*source);
    open_.pop_back();
  }
  return read_[absolute] = diagram;
}

std::shared_ptr<const DiagramDecl> DiagramReader::parse(const Sources::File& file) {
  absolute_[&file.name] = file.absolute;
  ParsedXml document;
  if (!read_xml(file, document, diagnostics_)) return nullptr;
  const XmlContext context{&file, &diagnostics_, &suggestions_};
  const ParsedNode* root = document.root();
  const std::string_view tag = root != nullptr ? root->name : "";
  if (tag != "diagram") {
    const Location where = context.at(root != nullptr ? root->line : 1);
    const std::string help = tag == "overlay" ? "this is an overlay file: give it with --overlay"
                                              : "a diagram file is one element <diagram format=\"1\">...</diagram>";
    diagnostics_.error("not-a-diagram", where,
                       root != nullptr ? "the file begins with <" + std::string(tag) + ">, not with <diagram>"
                                       : "the file holds no element",
                       help);
    return nullptr;
  }
  check_root(context, *root);
  return ElementReader(context, *this).diagram(*root);
}

} // namespace hilda::diagram
