// SPDX-License-Identifier: BSD-3-Clause
#include "tools/graphics/detail/draw/sketch/note_text.h"

#include "tools/graphics/detail/draw/sketch/shape.h"
#include "tools/graphics/svg.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace hilda::graphics::draw {
namespace {

constexpr double list_indent = 10; ///< px

/// [words](https://...) at the beginning of a text.
struct Link {
  std::string_view words, address;
  std::size_t length;
};
std::optional<Link> link_at(std::string_view text) {
  const std::size_t middle = text.find("](");
  const std::size_t end = middle == std::string_view::npos ? middle : text.find(')', middle);
  if (!text.starts_with("[") || end == std::string_view::npos) return std::nullopt;
  const std::string_view address = text.substr(middle + 2, end - middle - 2);
  if (!address.starts_with("https://") && !address.starts_with("http://")) return std::nullopt;
  return Link{text.substr(1, middle - 1), address, end + 1};
}

/// A paragraph in pieces that look alike.
std::vector<NotePiece> pieces_of(std::string_view text) {
  std::vector<NotePiece> pieces(1);
  bool bold = false;
  while (!text.empty()) {
    const bool opens = text.size() > 2 && text[2] != ' ' && text.find("**", 3) != std::string_view::npos;
    if (text.starts_with("**") && (bold || opens)) {
      bold = !bold;
      pieces.push_back({.text = {}, .bold = bold});
      text.remove_prefix(2);
    } else if (const std::optional<Link> link = link_at(text)) {
      pieces.push_back({std::string(link->words), bold, std::string(link->address)});
      pieces.push_back({.text = {}, .bold = bold});
      text.remove_prefix(link->length);
    } else {
      pieces.back().text += text.front();
      text.remove_prefix(1);
    }
  }
  return pieces;
}

/// Fills lines word by word.
class Wrapper {
public:
  Wrapper(double width, double indent, std::vector<NoteLine>& lines) : width_(width - indent), lines_(lines) {
    lines_.push_back({.indent = indent, .pieces = {}});
  }

  void add(const NotePiece& piece) {
    for (std::size_t at = 0; at < piece.text.size();) {
      const std::size_t word = std::min(piece.text.find_first_not_of(' ', at), piece.text.size());
      const std::size_t end = std::min(piece.text.find(' ', word), piece.text.size());
      put(piece, piece.text.substr(at, word - at), piece.text.substr(word, end - word));
      at = end;
    }
  }

private:
  void put(const NotePiece& like, const std::string& blanks, const std::string& word) {
    const double length = svg::text_width(word, detail_size, like.bold);
    const double space = svg::text_width(blanks, detail_size, like.bold);
    // what follows without a blank belongs to the word before
    if (used_ > 0 && !blanks.empty() && used_ + space + length > width_) {
      lines_.push_back({.indent = lines_.back().indent, .pieces = {}});
      used_ = 0;
    }
    std::vector<NotePiece>& line = lines_.back().pieces;
    if (line.empty() || line.back().bold != like.bold || line.back().link != like.link)
      line.push_back({.text = {}, .bold = like.bold, .link = like.link});
    line.back().text += (used_ > 0 ? blanks : "") + word;
    used_ += (used_ > 0 ? space : 0) + length;
  }

  double width_, used_ = 0;
  std::vector<NoteLine>& lines_;
};

} // namespace

std::vector<NoteLine> note_lines(const std::string& text, double width) {
  std::vector<NoteLine> lines;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view paragraph = std::string_view(text).substr(at, end - at);
    const bool item = paragraph.starts_with("- ");
    if (item) paragraph.remove_prefix(2);
    const std::size_t first = lines.size();
    Wrapper wrapper(width, item ? list_indent : 0, lines);
    for (const NotePiece& piece : pieces_of(paragraph)) wrapper.add(piece);
    if (item)
      lines[first].indent = 0, lines[first].pieces.insert(lines[first].pieces.begin(), {.text = "\xE2\x80\xA2 "});
    at = end + 1;
  }
  return lines;
}

} // namespace hilda::graphics::draw
