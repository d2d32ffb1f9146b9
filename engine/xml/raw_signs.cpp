#include "engine/xml/raw_signs.h"

#include "engine/model/characters.h"

#include <algorithm>
#include <string_view>

namespace hilda {
namespace {

/// "amp;" or "#x3c;" behind an '&'
bool is_entity(std::string_view rest) {
  for (const std::string_view name : {"amp;", "lt;", "gt;", "quot;", "apos;"})
    if (rest.starts_with(name)) return true;
  if (!rest.starts_with('#')) return false;
  const std::size_t end = rest.find(';');
  return end != std::string_view::npos && end > 1 && end < 12;
}

/// The text behind what begins with `open`, or all of it where that is never closed.
std::size_t after(std::string_view text, std::size_t at, std::string_view close) {
  const std::size_t end = text.find(close, at);
  return end == std::string_view::npos ? text.size() : end + close.size();
}

} // namespace

bool report_raw_signs(const Sources::File& file, Diagnostics& diagnostics) {
  constexpr int most = 10;
  const std::string_view text = file.text;
  int line = 1, told_line = 0, told = 0;
  std::size_t counted = 0;
  const auto refuse = [&](std::size_t at) {
    line += static_cast<int>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                        text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    counted = at;
    if (line == told_line || told == most) return;
    told_line = line, ++told;
    const std::string_view rest = text.substr(at + 1);
    const bool both = text[at] == '&' && rest.starts_with('&');
    diagnostics.error("xml-syntax", {&file.name, line},
                      text[at] == '<' ? "'<' stands in the value of an attribute"
                                      : std::string(both ? "'&&'" : "'&'") + " stands in the value of an attribute",
                      text[at] == '<' ? "XML writes '<' as '&lt;' there"
                                      : "XML writes '&' as '&amp;' there: '&amp;&amp;' for '&&'");
  };
  for (std::size_t at = text.find('<'); at < text.size(); at = text.find('<', at)) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("<!--"))
      at = after(text, at + 4, "-->");
    else if (rest.starts_with("<?"))
      at = after(text, at, "?>");
    else if (rest.starts_with("<!"))
      at = after(text, at, ">");
    else
      for (++at; at < text.size() && text[at] != '>'; ++at) {
        if (text[at] != '"' && text[at] != '\'') continue;
        const std::size_t end = std::min(text.find(text[at], at + 1), text.size());
        for (std::size_t i = at + 1; i < end; ++i)
          if (text[i] == '<' || (text[i] == '&' && !is_entity(text.substr(i + 1, 16)))) refuse(i);
        at = end;
      }
  }
  return told == 0;
}

} // namespace hilda
