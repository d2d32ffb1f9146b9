// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/detail/edit/moving.h"

#include <algorithm>

namespace hilda::authoring {
namespace {

/// Spans of all values of attributes, in order.
void collect_values(const std::vector<XmlNode>& nodes, std::vector<TextSpan>& values) {
  for (const XmlNode& node : nodes) {
    for (const auto& [name, attribute] : node.attributes) values.push_back(attribute.text);
    collect_values(node.children, values);
  }
}

} // namespace

TextSpan with_remarks(const EditContext& context, const XmlNode& body, const XmlNode& node) {
  return {node.whole.begin, context.layout.behind_remarks(body, node)};
}

void take_out(const EditContext& context, const XmlNode& body, const XmlNode& node, TextEdit& edit) {
  XmlNode whole;
  whole.whole = with_remarks(context, body, node);
  context.layout.remove(whole, edit);
}

std::string indented(const EditContext& context, TextSpan what, const std::string& more, const std::string& less) {
  std::vector<TextSpan> values;
  collect_values(context.spans.nodes, values);
  const auto in_value = [&values](std::size_t at) {
    const auto after = std::upper_bound(values.begin(), values.end(), at,
                                        [](std::size_t place, const TextSpan& value) { return place < value.begin; });
    return after != values.begin() && at < std::prev(after)->end;
  };
  const std::string& text = context.text;
  std::string out;
  for (std::size_t at = what.begin; at < what.end; ++at) {
    out += text[at];
    if (text[at] != '\n' || in_value(at)) continue;
    const bool blank = at + 1 >= what.end || text[at + 1] == '\n' || text[at + 1] == '\r';
    if (!less.empty() && text.compare(at + 1, less.size(), less) == 0) at += less.size();
    if (!blank) out += more;
  }
  return out;
}

} // namespace hilda::authoring
