// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/overlay.h"

#include "engine/base/error.h"
#include "engine/diagram/attributes.h"
#include "engine/diagram/document.h"
#include "engine/diagram/overlay_kinds.h"

#include <filesystem>
#include <system_error>
#include <tinyxml2.h>
#include <unordered_map>

namespace hilda::diagram {
namespace {

/// Reads the elements of one overlay.
class OverlayReader {
public:
  explicit OverlayReader(const XmlContext& context) : context_(context) {}

  OverlaySettings read(const ParsedNode& root) {
    check_format(root);
    for (const ParsedNode* at = root.first_child; at != nullptr; at = at->next) {
      if (const ParsedNode* element = at->as_element())
        element->name == overlay_elements::play.tag ? play(*element) : set(*element);
      else if (at->kind != ParsedNode::Kind::comment)
        context_.diagnostics->error("stray-text", context_.at(at->line),
                                    "text " + hilda::base::in_quotes(at->name) + " is inside <overlay>",
                                    "write remarks as <!-- ... -->");
    }
    return std::move(settings_);
  }

private:
  void check_format(const ParsedNode& root) {
    static constexpr const ElementKind& kind = overlay_elements::overlay;
    static constexpr auto format = kind.index("format");
    const AttributeReader read(context_, root, known_of<kind>, AttributeReader::Others::refused);
    if (!read.given(format))
      context_.diagnostics->error("format-missing", context_.at(root.line), "the overlay does not say its format",
                                  "write <overlay format=\"1\">");
    else if (read.view(format) != "1")
      context_.diagnostics->error("format-unsupported", read.where(format),
                                  "the format " + hilda::base::in_quotes(read.view(format)) +
                                      " is not known here, only format 1 is",
                                  "a newer hilda may read it; otherwise write format=\"1\"");
  }

  void set(const ParsedNode& element) {
    static constexpr const ElementKind& kind = overlay_elements::set;
    static constexpr auto path = kind.index("path"), value = kind.index("value"), at = kind.index("at");
    if (element.name != kind.tag)
      context_.diagnostics->error("unknown-element", context_.at(element.line),
                                  "an overlay has no element <" + std::string(element.name) + ">",
                                  "it may have: set, play");
    check_empty(element);
    const AttributeReader read(context_, element, known_of<kind>, AttributeReader::Others::refused);
    if (!read.given(path) || !read.given(value)) return;
    once(read.text(path) + " at " + read.text(at), element,
         hilda::base::in_quotes(read.view(path)) + " is set twice" +
             (read.given(at) ? " at " + hilda::base::in_quotes(read.view(at)) : ""));
    Attribute setting{read.text(path), read.text(value), read.where(value)};
    if (read.given(at))
      settings_.late.timed.push_back({std::move(setting), {"at", read.text(at), read.where(at)}});
    else
      settings_.before.push_back(std::move(setting));
  }

  void play(const ParsedNode& element) {
    static constexpr const ElementKind& kind = overlay_elements::play;
    static constexpr auto path = kind.index("path"), file = kind.index("file"), signal = kind.index("signal"),
                          time = kind.index("time"), unit = kind.index("unit");
    check_empty(element);
    const AttributeReader read(context_, element, known_of<kind>, AttributeReader::Others::refused);
    if (!read.given(path) || !read.given(file) || !read.given(signal)) return;
    once(read.text(path) + " played", element, hilda::base::in_quotes(read.view(path)) + " is played twice");
    settings_.late.played.push_back({{"path", read.text(path), read.where(path)},
                                     {"file", read.text(file), read.where(file)},
                                     read.text(signal),
                                     read.text(time),
                                     read.text(unit),
                                     {},
                                     {}});
  }

  void check_empty(const ParsedNode& element) {
    if (const ParsedNode* inner = element.first_element())
      context_.diagnostics->error("misplaced-element", context_.at(inner->line),
                                  "<" + std::string(inner->name) + "> is inside " + element_label(element),
                                  "close " + element_label(element) + " before it with '/>'");
  }

  void once(const std::string& what, const ParsedNode& element, const std::string& error) {
    const auto [first, fresh] = seen_.try_emplace(what, context_.at(element.line));
    if (!fresh)
      context_.diagnostics->error("duplicate-setting", context_.at(element.line), error, "keep one",
                                  {{first->second, "first set here"}});
  }

  const XmlContext& context_;
  OverlaySettings settings_;
  std::unordered_map<std::string, Location> seen_;
};

} // namespace

OverlaySettings read_overlay(const std::string& path, Sources& sources, Diagnostics& diagnostics,
                             Suggestions& suggestions, const RecordedFiles* recorded) {
  std::error_code error;
  const auto absolute = std::filesystem::canonical(path, error);
  const Sources::File* file =
      read_source(error ? path : absolute.string(), path, XmlLimits::file_bytes, {}, sources, diagnostics, recorded);
  ParsedXml document;
  if (file == nullptr || !read_xml(*file, document, diagnostics)) return {};
  const ParsedNode* root = document.root();
  if (root == nullptr || std::string_view(root->name) != "overlay") {
    diagnostics.error("not-an-overlay", {&file->name, root != nullptr ? root->line : 1},
                      "the file does not begin with <overlay>",
                      "an overlay is <overlay format=\"1\"><set path=\"...\" value=\"...\"/></overlay>");
    return {};
  }
  return OverlayReader({file, &diagnostics, &suggestions}).read(*root);
}

std::string write_overlay(const OverlaySettings& settings) {
  tinyxml2::XMLPrinter printer;
  const auto set = [&printer](const Attribute& setting, const std::string& at) {
    printer.OpenElement("set");
    printer.PushAttribute("path", setting.name.c_str());
    printer.PushAttribute("value", setting.text.c_str());
    if (!at.empty()) printer.PushAttribute("at", at.c_str());
    printer.CloseElement();
  };
  printer.OpenElement("overlay");
  printer.PushAttribute("format", "1");
  for (const Attribute& each : settings.before) set(each, "");
  for (const TimedSetting& each : settings.late.timed) set(each.setting, each.at.text);
  for (const PlayedSetting& each : settings.late.played) {
    printer.OpenElement("play");
    printer.PushAttribute("path", each.path.text.c_str());
    printer.PushAttribute("file", each.file.text.c_str());
    printer.PushAttribute("signal", each.signal.c_str());
    if (!each.time.empty()) printer.PushAttribute("time", each.time.c_str());
    if (!each.unit.empty()) printer.PushAttribute("unit", each.unit.c_str());
    printer.CloseElement();
  }
  printer.CloseElement();
  return printer.CStr();
}

std::vector<Attribute> read_settings(const std::vector<std::string>& texts, Sources& sources,
                                     Diagnostics& diagnostics) {
  if (texts.empty()) return {};
  const Sources::File& source = sources.add("command line", "", "");
  std::vector<Attribute> settings;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      diagnostics.error("bad-setting", {&source.name, 0},
                        "--set " + hilda::base::in_quotes(text) + " is not an assignment",
                        "write --set lead.time_constant=4ms, or --set period=2ms");
      continue;
    }
    settings.push_back({text.substr(0, equals), text.substr(equals + 1), {&source.name, 0}});
  }
  return settings;
}

} // namespace hilda::diagram
