// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/detail/text/layout.h"

#include "engine/base/characters.h"

#include <algorithm>

namespace hilda::authoring {
namespace {

bool only_blanks(std::string_view text) { return trimmed(text).empty(); }
bool has_line_end(std::string_view text) { return text.find('\n') != std::string_view::npos; }

} // namespace

std::size_t Layout::line_begin(std::size_t at) const {
  const std::size_t end = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
  const std::size_t begin = end == std::string::npos ? 0 : end + 1;
  return begin == 0 && text_.starts_with("\xEF\xBB\xBF") ? std::min<std::size_t>(3, at) : begin;
}

std::string Layout::line_end(std::size_t at) const {
  std::size_t found = at == 0 ? std::string::npos : text_.rfind('\n', at - 1);
  if (found == std::string::npos) found = text_.find('\n', at);
  return found != std::string::npos && found > 0 && text_[found - 1] == '\r' ? "\r\n" : "\n";
}

bool Layout::begins_line(const XmlNode& node) const {
  const std::size_t begin = line_begin(node.whole.begin);
  return only_blanks(std::string_view(text_).substr(begin, node.whole.begin - begin));
}

std::string Layout::indent(const XmlNode& node) const {
  const std::size_t begin = line_begin(node.whole.begin);
  return begins_line(node) ? text_.substr(begin, node.whole.begin - begin) : std::string();
}

std::string Layout::step() const {
  const XmlNode& root = spans_.root();
  const std::string outer = indent(root);
  for (const XmlNode& child : root.children) {
    const std::string inner = indent(child);
    if (begins_line(child) && inner.size() > outer.size() && inner.starts_with(outer))
      return inner.substr(outer.size());
  }
  return "  ";
}

std::string Layout::child_indent(const XmlNode& parent) const {
  for (const XmlNode& child : parent.children)
    if (begins_line(child)) return indent(child);
  return indent(parent) + step();
}

std::string Layout::escaped(std::string_view value, char quote) {
  std::string out;
  for (const char c : value) switch (c) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '\n': out += "&#10;"; break;
    case '\r': out += "&#13;"; break;
    case '\t': out += "&#9;"; break;
    default:
      if (c == quote)
        out += quote == '"' ? "&quot;" : "&apos;";
      else
        out += c;
    }
  return out;
}

std::string_view Layout::before(const XmlNode& node, std::size_t attribute) const {
  const std::size_t begin =
      attribute == 0 ? node.open.begin + 1 + node.tag.size() : node.attributes[attribute - 1].second.whole.end;
  return std::string_view(text_).substr(begin, node.attributes[attribute].second.whole.begin - begin);
}

/// The text before a further attribute of `added` bytes: a blank, or the line end and indentation of the others.
std::string Layout::separator(const XmlNode& node, std::size_t added) const {
  std::string_view broken; // how lines are broken within it
  bool each = node.attributes.size() > 1;
  for (std::size_t i = 1; i < node.attributes.size(); ++i) {
    if (has_line_end(before(node, i)))
      broken = before(node, i);
    else
      each = false;
  }
  if (each) return std::string(broken);
  if (broken.empty()) return " ";
  std::size_t longest = 0;
  const std::string_view tag = std::string_view(text_).substr(0, node.open.end);
  for (std::size_t at = line_begin(node.open.begin); at < tag.size();) {
    const std::size_t end = std::min(tag.find('\n', at), tag.size());
    longest = std::max(longest, end - at);
    at = end + 1;
  }
  const std::size_t last = node.attributes.back().second.whole.end;
  return last - line_begin(last) + 1 + added > longest ? std::string(broken) : " ";
}

std::string Layout::written(const NewElement& element, const XmlNode* like) const {
  char quote = '"';
  std::string between = " ", equals = "=", end;
  if (like != nullptr && !like->attributes.empty()) {
    const XmlAttribute& last = like->attributes.back().second;
    quote = last.quote;
    equals = text_.substr(last.name.end, last.text.begin - 1 - last.name.end);
    bool each = like->attributes.size() > 1;
    for (std::size_t i = 1; i < like->attributes.size(); ++i) each = each && has_line_end(before(*like, i));
    if (each) between = before(*like, like->attributes.size() - 1);
    const std::size_t bracket = like->open.end - (text_[like->open.end - 2] == '/' ? 2 : 1);
    end = text_.substr(last.whole.end, bracket - last.whole.end);
    if (has_line_end(end) && !each) end.clear();
  }
  std::string out = "<" + element.tag;
  bool first = true;
  for (const auto& [name, value] : element.attributes) {
    out += (first ? " " : between) + name + equals + quote + escaped(value, quote) + quote;
    first = false;
  }
  return out + end + "/>";
}

std::size_t Layout::behind_remarks(const XmlNode& parent, const XmlNode& child) const {
  std::size_t end = child.whole.end;
  for (const XmlNode& next : parent.children) {
    if (next.whole.begin < end) continue;
    const std::string_view gap = std::string_view(text_).substr(end, next.whole.begin - end);
    if (next.kind != XmlNode::Kind::comment || has_line_end(gap)) break;
    // One that another element follows on the line may be that element's.
    const std::string_view rest = std::string_view(text_).substr(next.whole.end);
    if (!only_blanks(rest.substr(0, rest.find('\n')))) break;
    end = next.whole.end;
  }
  return end;
}

void Layout::insert_first(const XmlNode& parent, const std::vector<std::string>& elements, TextEdit& edit) const {
  const std::string end = line_end(parent.open.end), outer = indent(parent), inner = child_indent(parent);
  std::string made;
  for (const std::string& element : elements) made += end + inner + element;
  if (parent.close.end == parent.close.begin) { // "/>"
    std::size_t bracket = parent.open.end - 2;
    while (is_blank(text_[bracket - 1])) --bracket;
    return edit.replace({bracket, parent.open.end}, ">" + made + end + outer + "</" + parent.tag + ">");
  }
  const std::string_view inside = std::string_view(text_).substr(parent.open.end, parent.close.begin - parent.open.end);
  const std::size_t line = inside.find('\n');
  if (line != std::string_view::npos && only_blanks(inside.substr(0, line))) return edit.insert(parent.open.end, made);
  if (only_blanks(inside)) return edit.replace({parent.open.end, parent.close.begin}, made + end + outer);
  edit.insert(parent.open.end, made + (line == std::string_view::npos ? end + outer : ""));
}

void Layout::insert(const XmlNode& parent, const XmlNode* behind, const std::vector<std::string>& elements, bool gap,
                    TextEdit& edit) const {
  if (behind == nullptr) return insert_first(parent, elements, edit);
  const std::string end = line_end(behind->whole.begin);
  const std::string between = begins_line(*behind) ? end + indent(*behind) : std::string();
  std::string made = gap && !between.empty() ? end : std::string();
  for (const std::string& element : elements) made += between + element;
  edit.insert(behind_remarks(parent, *behind), made);
}

void Layout::remove(const XmlNode& node, TextEdit& edit) const {
  const std::string_view text = text_;
  const std::size_t begin = line_begin(node.whole.begin);
  const std::size_t line = text.find('\n', node.whole.end);
  const std::size_t end = line == std::string_view::npos ? text.size() : line + 1;
  const std::string_view after = text.substr(node.whole.end, end - node.whole.end);
  if (begins_line(node) && only_blanks(after)) return edit.remove({begin, end});
  std::size_t from = node.whole.begin, to = node.whole.end;
  if (!begins_line(node))
    while (from > begin && (text[from - 1] == ' ' || text[from - 1] == '\t')) --from;
  else
    while (to < end && (text[to] == ' ' || text[to] == '\t')) ++to;
  edit.remove({from, to});
}

void Layout::set(const XmlNode& node, const std::string& attribute, const std::string& value, TextEdit& edit) const {
  if (const XmlAttribute* const there = node.find(attribute)) {
    if (there->value != value) edit.replace(there->text, escaped(value, there->quote));
    return;
  }
  if (node.attributes.empty())
    return edit.insert(node.open.begin + 1 + node.tag.size(), " " + attribute + "=\"" + escaped(value, '"') + "\"");
  const XmlAttribute& last = node.attributes.back().second;
  const std::string equals = text_.substr(last.name.end, last.text.begin - 1 - last.name.end);
  const std::string made = attribute + equals + last.quote + escaped(value, last.quote) + last.quote;
  edit.insert(last.whole.end, separator(node, made.size()) + made);
}

void Layout::unset(const XmlNode& node, const XmlAttribute& attribute, TextEdit& edit) const {
  for (std::size_t i = 0; i < node.attributes.size(); ++i)
    if (&node.attributes[i].second == &attribute)
      edit.remove({attribute.whole.begin - before(node, i).size(), attribute.whole.end});
}

} // namespace hilda::authoring
