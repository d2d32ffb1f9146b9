// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/findings.h"

#include "engine/compile/loaded_diagram.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

namespace hilda::authoring {
namespace {

/// The modes that the outermost blocks and subsystems name; one empty name where they name none.
std::vector<std::string> modes_of(const Sources::File& file) {
  Diagnostics unheard;
  std::set<std::string> modes;
  if (const std::optional<XmlSpans> spans = scan_spans(file, unheard))
    for (const XmlNode& child : spans->root().children)
      if ((child.is("block") || child.is("subsystem")) && child.find("mode") != nullptr)
        modes.emplace(child.value("mode"));
  return modes.empty() ? std::vector<std::string>{""} : std::vector<std::string>(modes.begin(), modes.end());
}

std::vector<Diagnostic> found_in(const DiagramEditor& edited, const std::string& text, const Catalogue& catalogue,
                                 const std::vector<std::string>& library_path) {
  std::error_code none;
  // Through links the files that it includes are found from where it lies.
  const bool plain = std::filesystem::absolute(edited.name(), none).lexically_normal() == edited.absolute();
  const std::filesystem::path name = plain ? edited.name() : edited.absolute();
  RecordedFiles made; // files of the edit that are not on the disk yet
  for (const NewFile& each : edited.files()) {
    const auto relative = std::filesystem::absolute(each.path, none)
                              .lexically_relative(std::filesystem::path(edited.absolute()).parent_path());
    made.add((name.parent_path() / relative).lexically_normal().string(), each.text);
  }
  std::vector<Diagnostic> all;
  for (const std::string& mode : modes_of({edited.name(), edited.absolute(), text})) {
    LoadOptions options;
    options.mode = mode;
    options.library_path = library_path;
    options.recorded = &made;
    const LoadedDiagram loaded(catalogue, DiagramText{name.string(), text}, options);
    for (const Diagnostic& each : loaded.diagnostics().sorted()) all.push_back(each);
  }
  return all;
}

/// One slip in two modes: they may tell a wire's period differently.
bool same_slip(const Diagnostic& a, const Diagnostic& b) {
  return a.code == b.code && a.file == b.file && a.line == b.line && a.help == b.help;
}

} // namespace

bool same_finding(const Diagnostic& a, const Diagnostic& b) {
  return a.code == b.code && a.what == b.what && a.file == b.file;
}

bool is_unfinished(const Diagnostic& found) {
  static constexpr std::array<std::string_view, 12> codes = {
      "undriven-input",    "undriven-output",     "undriven-condition",
      "unused-input",      "open-input",          "shape-unknown",
      "missing-parameter", "limits-missing",      "parameter-without-value",
      "rest-unknown",      "sample-time-missing", "subsystem-empty"};
  return found.severity == Diagnostic::Severity::warning ||
         std::find(codes.begin(), codes.end(), found.code) != codes.end();
}

EditFindings new_findings(const DiagramEditor& edited, const std::string& before, const Catalogue& catalogue,
                          const std::vector<std::string>& library_path) {
  const std::vector<Diagnostic> old = found_in(edited, before, catalogue, library_path);
  EditFindings findings;
  std::vector<Diagnostic> told;
  for (const Diagnostic& each : found_in(edited, edited.text(), catalogue, library_path)) {
    const auto known = [&each](const Diagnostic& other) { return same_finding(each, other); };
    const auto said = [&each](const Diagnostic& other) { return same_slip(each, other); };
    if (std::any_of(old.begin(), old.end(), known) || std::any_of(told.begin(), told.end(), said)) continue;
    told.push_back(each);
    (is_unfinished(each) ? findings.open : findings.wrong).push_back(each);
  }
  return findings;
}

} // namespace hilda::authoring
