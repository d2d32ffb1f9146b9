// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/spans.h"

#include "engine/base/characters.h"
#include "engine/base/error.h"
#include "engine/diagram/document.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <tinyxml2.h>

namespace hilda::authoring {
namespace {

/// Goes once over a text that is XML.
class Scanner {
public:
  explicit Scanner(std::string_view text) : text_(text) {
    if (starts("\xEF\xBB\xBF")) advance(3);
  }

  /// False where it does not understand the text.
  bool all(std::vector<XmlNode>& nodes) { return content(nodes, 0) && at_ == text_.size(); }

private:
  bool starts(std::string_view with) const { return text_.substr(at_, with.size()) == with; }
  void advance(std::size_t count) {
    const auto begin = text_.begin() + static_cast<std::ptrdiff_t>(at_);
    line_ += static_cast<int>(std::count(begin, begin + static_cast<std::ptrdiff_t>(count), '\n'));
    at_ += count;
  }
  void skip_blanks() {
    std::size_t to = at_;
    while (to < text_.size() && is_blank(text_[to])) ++to;
    advance(to - at_);
  }

  std::string_view name() {
    const auto belongs = [](char c) {
      return is_letter(c) || is_digit(c) || c == '_' || c == '.' || c == '-' || c == ':' ||
             static_cast<unsigned char>(c) >= 0x80;
    };
    const std::size_t begin = at_;
    while (at_ < text_.size() && belongs(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  /// The content between two tags, up to an end tag or the end of the text.
  bool content(std::vector<XmlNode>& into, int depth) {
    constexpr int most = 1000; // the parser gives up long before
    if (depth > most) return false;
    while (at_ < text_.size()) {
      const std::size_t tag = std::min(text_.find('<', at_), text_.size());
      if (!trimmed(text_.substr(at_, tag - at_)).empty())
        into.push_back({.kind = XmlNode::Kind::text, .tag = {}, .whole = {at_, tag}, .line = line_});
      advance(tag - at_);
      if (at_ == text_.size() || starts("</")) return true;
      if (!markup(into, depth)) return false;
    }
    return true;
  }

  bool markup(std::vector<XmlNode>& into, int depth) {
    using Kind = XmlNode::Kind;
    if (starts("<!--")) return skip(into, Kind::comment, 4, "-->");
    if (starts("<![CDATA[")) return skip(into, Kind::text, 9, "]]>");
    if (starts("<?")) return skip(into, Kind::declaration, 2, "?>");
    if (starts("<!")) return skip(into, Kind::declaration, 2, ">");
    return element(into.emplace_back(), depth);
  }

  bool skip(std::vector<XmlNode>& into, XmlNode::Kind kind, std::size_t head, std::string_view end) {
    const std::size_t found = text_.find(end, at_ + head);
    if (found == std::string_view::npos) return false;
    const std::size_t behind = found + end.size();
    into.push_back({.kind = kind, .tag = {}, .whole = {at_, behind}, .line = line_});
    advance(behind - at_);
    return true;
  }

  bool element(XmlNode& node, int depth) {
    node.line = line_;
    node.whole.begin = node.open.begin = at_;
    advance(1);
    node.tag = name();
    if (node.tag.empty()) return false;
    while (true) {
      skip_blanks();
      if (starts("/>") || starts(">")) break;
      if (!attribute(node)) return false;
    }
    const bool closed = starts("/>");
    advance(closed ? 2 : 1);
    node.open.end = node.whole.end = at_;
    node.close = {at_, at_};
    return closed || inside(node, depth);
  }

  bool inside(XmlNode& node, int depth) {
    if (!content(node.children, depth + 1) || !starts("</")) return false;
    node.close.begin = at_;
    advance(2);
    if (name() != node.tag) return false;
    skip_blanks();
    if (!starts(">")) return false;
    advance(1);
    node.close.end = node.whole.end = at_;
    return true;
  }

  bool attribute(XmlNode& node) {
    XmlAttribute made;
    made.name.begin = made.whole.begin = at_;
    const std::string_view called = name();
    made.name.end = at_;
    skip_blanks();
    if (called.empty() || !starts("=")) return false;
    advance(1);
    skip_blanks();
    if (!starts("\"") && !starts("'")) return false;
    made.quote = text_[at_];
    const std::size_t close = text_.find(made.quote, at_ + 1);
    if (close == std::string_view::npos) return false;
    made.text = {at_ + 1, close};
    made.whole.end = close + 1;
    made.value = meant_value(text_.substr(at_ + 1, close - at_ - 1));
    advance(close + 1 - at_);
    node.attributes.emplace_back(called, std::move(made));
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

XmlNode::Kind kind_of(const tinyxml2::XMLNode& node) {
  if (node.ToElement() != nullptr) return XmlNode::Kind::element;
  if (node.ToComment() != nullptr) return XmlNode::Kind::comment;
  return node.ToText() != nullptr ? XmlNode::Kind::text : XmlNode::Kind::declaration;
}

bool agree(const std::vector<XmlNode>& ours, const tinyxml2::XMLNode& theirs, int& line);

bool agree(const XmlNode& ours, const tinyxml2::XMLElement& theirs, int& line) {
  line = ours.line;
  if (ours.tag != theirs.Name() || ours.line != theirs.GetLineNum()) return false;
  const tinyxml2::XMLAttribute* at = theirs.FirstAttribute();
  for (const auto& [name, attribute] : ours.attributes) {
    if (at == nullptr || name != at->Name() || attribute.value != at->Value()) return false;
    at = at->Next();
  }
  return at == nullptr && agree(ours.children, theirs, line);
}

bool agree(const std::vector<XmlNode>& ours, const tinyxml2::XMLNode& theirs, int& line) {
  const tinyxml2::XMLNode* at = theirs.FirstChild();
  for (const XmlNode& node : ours) {
    if (at == nullptr || node.kind != kind_of(*at)) return false;
    if (const tinyxml2::XMLElement* element = at->ToElement(); element != nullptr && !agree(node, *element, line))
      return false;
    at = at->NextSibling();
  }
  return at == nullptr;
}

/// Adds a character in UTF-8.
void append_character(std::uint32_t character, std::string& to) {
  const auto add = [&to](std::uint32_t byte) { to.push_back(static_cast<char>(byte)); };
  const auto tail = [&](int shift) { add(0x80U | ((character >> shift) & 0x3FU)); };
  if (character < 0x80) return add(character);
  if (character < 0x800) {
    add(0xC0U | (character >> 6));
  } else if (character < 0x10000) {
    add(0xE0U | (character >> 12));
    tail(6);
  } else {
    add(0xF0U | (character >> 18));
    tail(12);
    tail(6);
  }
  tail(0);
}

/// Resolves the reference at the beginning of `raw` into `to`; how many bytes it takes, 0: it is none.
std::size_t take_reference(std::string_view raw, std::string& to) {
  const std::size_t end = raw.find(';');
  if (end == std::string_view::npos) return 0;
  const std::string_view name = raw.substr(1, end - 1);
  for (const auto& [known, meant] :
       {std::pair<std::string_view, char>{"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}})
    if (name == known) {
      to.push_back(meant);
      return end + 1;
    }
  if (!name.starts_with('#')) return 0;
  const bool hexadecimal = name.starts_with("#x");
  const std::string_view digits = name.substr(hexadecimal ? 2 : 1);
  std::uint32_t number = 0;
  const auto [stop, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number, hexadecimal ? 16 : 10);
  if (error != std::errc{} || stop != digits.data() + digits.size()) return 0;
  append_character(number, to);
  return end + 1;
}

} // namespace

const XmlAttribute* XmlNode::find(std::string_view attribute) const {
  for (const auto& [name, found] : attributes)
    if (name == attribute) return &found;
  return nullptr;
}

std::string_view XmlNode::value(std::string_view attribute) const {
  const XmlAttribute* const found = find(attribute);
  return found != nullptr ? std::string_view(found->value) : std::string_view();
}

const XmlNode& XmlSpans::root() const {
  return *std::find_if(nodes.begin(), nodes.end(),
                       [](const XmlNode& node) { return node.kind == XmlNode::Kind::element; });
}

std::optional<XmlSpans> scan_spans(const Sources::File& file, Diagnostics& diagnostics) {
  tinyxml2::XMLDocument document;
  if (!parse_xml(file, document, diagnostics)) return std::nullopt;
  XmlSpans spans;
  int line = 1;
  if (Scanner(file.text).all(spans.nodes) && agree(spans.nodes, document, line) && document.RootElement() != nullptr)
    return spans;
  diagnostics.error(
      "edit-not-understood", {&file.name, line}, "this file cannot be edited: it is not clear which bytes mean what",
      document.RootElement() == nullptr ? "a diagram file is one element <diagram format=\"1\">...</diagram>"
                                        : "write the element that begins here in the usual way, one "
                                          "attribute behind the other, each name=\"value\"");
  return std::nullopt;
}

std::string meant_value(std::string_view raw, std::vector<std::size_t>* from) {
  std::string value;
  std::size_t at = 0;
  while (at < raw.size()) {
    std::size_t taken = 1;
    const std::size_t before = value.size();
    if (raw[at] == '&') {
      taken = take_reference(raw.substr(at), value);
      if (taken == 0) value.push_back(raw[at]), taken = 1;
    } else if (raw[at] == '\r' || raw[at] == '\n') { // as the parser: either order of the two is one line's end
      const char other = raw[at] == '\r' ? '\n' : '\r';
      if (at + 1 < raw.size() && raw[at + 1] == other) taken = 2;
      value.push_back('\n');
    } else {
      value.push_back(raw[at]);
    }
    if (from != nullptr) from->insert(from->end(), value.size() - before, at);
    at += taken;
  }
  if (from != nullptr) from->push_back(raw.size());
  return value;
}

TextSpan span_in_value(std::string_view text, const XmlAttribute& attribute, std::size_t at, std::size_t length) {
  std::vector<std::size_t> from;
  meant_value(text.substr(attribute.text.begin, attribute.text.end - attribute.text.begin), &from);
  return {attribute.text.begin + from[at], attribute.text.begin + from[at + length]};
}

} // namespace hilda::authoring
