#include "engine/xml/overlay.h"

#include "engine/diagnostics/complaint.h"
#include "engine/xml/attributes.h"
#include "engine/xml/text/document.h"

#include <filesystem>
#include <system_error>
#include <tinyxml2.h>
#include <unordered_map>

namespace hilda {
namespace {

using tinyxml2::XMLElement;

/// Reads the sets of one overlay.
class OverlayReader {
public:
  explicit OverlayReader(const XmlContext& context) : context_(context) {}

  OverlaySettings read(const XMLElement& root) {
    check_format(root);
    for (const tinyxml2::XMLNode* at = root.FirstChild(); at != nullptr; at = at->NextSibling()) {
      if (const XMLElement* element = at->ToElement())
        set(*element);
      else if (at->ToComment() == nullptr)
        context_.diagnostics->error("stray-text", context_.at(at->GetLineNum()),
                                    "text " + hilda::in_quotes(at->Value()) + " stands inside <overlay>",
                                    "write remarks as <!-- ... -->");
    }
    return std::move(settings_);
  }

private:
  void check_format(const XMLElement& root) {
    enum { format, doc };
    static constexpr std::array<Known, 2> known = {{{"format"}, {"doc"}}};
    const AttributeReader read(context_, root, known, AttributeReader::Others::refused);
    if (!read.given(format))
      context_.diagnostics->error("format-missing", context_.at(root.GetLineNum()),
                                  "the overlay does not say its format", "write <overlay format=\"1\">");
    else if (read.view(format) != "1")
      context_.diagnostics->error("format-unsupported", read.where(format),
                                  "the format " + hilda::in_quotes(read.view(format)) +
                                      " is not known here, only format 1 is",
                                  "a newer hilda may read it; otherwise write format=\"1\"");
  }

  void set(const XMLElement& element) {
    enum { path, value, doc, at };
    static constexpr std::array<Known, 4> known = {{{"path", true}, {"value", true}, {"doc"}, {"at"}}};
    const Location where = context_.at(element.GetLineNum());
    if (std::string_view(element.Name()) != "set")
      context_.diagnostics->error("unknown-element", where,
                                  "an overlay has no element <" + std::string(element.Name()) + ">",
                                  "it may have: set");
    if (const tinyxml2::XMLElement* inner = element.FirstChildElement())
      context_.diagnostics->error("misplaced-element", context_.at(inner->GetLineNum()),
                                  "<" + std::string(inner->Name()) + "> stands inside " + element_label(element),
                                  "close " + element_label(element) + " before it with '/>'");
    const AttributeReader read(context_, element, known, AttributeReader::Others::refused);
    if (!read.given(path) || !read.given(value)) return;
    if (read.view(path).empty()) {
      context_.diagnostics->error("bad-setting", read.where(path), "a <set> has an empty path",
                                  "write <set path=\"lead.time_constant\" value=\"4 ms\"/>, or path=\"period\"");
      return;
    }
    const auto [first, fresh] = seen_.try_emplace(read.text(path) + " at " + read.text(at), where);
    if (!fresh)
      context_.diagnostics->error("duplicate-setting", where,
                                  hilda::in_quotes(read.view(path)) + " is set twice" +
                                      (read.given(at) ? " at " + hilda::in_quotes(read.view(at)) : ""),
                                  "keep one", {{first->second, "first set here"}});
    Attribute setting{read.text(path), read.text(value), read.where(value)};
    if (read.given(at))
      settings_.timed.push_back({std::move(setting), {"at", read.text(at), read.where(at)}});
    else
      settings_.before.push_back(std::move(setting));
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
  tinyxml2::XMLDocument document;
  if (file == nullptr || !parse_xml(*file, document, diagnostics)) return {};
  const XMLElement* root = document.RootElement();
  if (root == nullptr || std::string_view(root->Name()) != "overlay") {
    diagnostics.error("not-an-overlay", {&file->name, root != nullptr ? root->GetLineNum() : 1},
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
  for (const TimedSetting& each : settings.timed) set(each.setting, each.at.text);
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
      diagnostics.error("bad-setting", {&source.name, 0}, "--set " + hilda::in_quotes(text) + " is not an assignment",
                        "write --set lead.time_constant=4ms, or --set period=2ms");
      continue;
    }
    settings.push_back({text.substr(0, equals), text.substr(equals + 1), {&source.name, 0}});
  }
  return settings;
}

} // namespace hilda
