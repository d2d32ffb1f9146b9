// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/detail/files/file_content.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <utility>

namespace hilda::base {
namespace {

constexpr std::size_t head_bytes = 65'536;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

bool is_binary(std::string_view head) {
  return std::any_of(head.begin(), head.end(),
                     [](char c) { return static_cast<unsigned char>(c) < ' ' && !is_space(c); });
}

/// The name of the outermost element; empty where the head holds none.
std::string_view root_of(std::string_view head) {
  while (true) {
    const std::size_t open = head.find('<');
    if (open == std::string_view::npos) return {};
    head.remove_prefix(open);
    std::string_view end;
    if (head.starts_with("<!--"))
      end = "-->";
    else if (head.starts_with("<?") || head.starts_with("<!"))
      end = ">";
    else
      break;
    const std::size_t close = head.find(end, 2);
    if (close == std::string_view::npos) return {};
    head.remove_prefix(close + end.size());
  }
  const std::size_t end = std::min(head.find_first_of(" \t\r\n/>", 1), head.size());
  std::string_view name = head.substr(1, end - 1);
  if (const std::size_t colon = name.find(':'); colon != std::string_view::npos) name.remove_prefix(colon + 1);
  return name;
}

FileContent content_of_xml(std::string_view head) {
  static constexpr std::array<std::pair<std::string_view, FileContent>, 8> known = {{{"diagram", FileContent::diagram},
                                                                                     {"overlay", FileContent::overlay},
                                                                                     {"study", FileContent::study},
                                                                                     {"svg", FileContent::picture},
                                                                                     {"html", FileContent::page},
                                                                                     {"meta", FileContent::page},
                                                                                     {"schema", FileContent::schema},
                                                                                     {"grammar", FileContent::schema}}};
  const std::string_view root = root_of(head);
  for (const auto& [name, content] : known)
    if (root == name) return content;
  return FileContent::xml;
}

/// 0: it is prose, as a comma with a blank behind it shows.
std::size_t cells_of(std::string_view line) {
  std::size_t cells = 1;
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] != ',' || quoted) continue;
    if (i + 1 < line.size() && line[i + 1] == ' ') return 0;
    ++cells;
  }
  return cells;
}

/// Several cells in the first line and as many in the next ones; or one word alone, as the names of one column.
/// A last line without an end is cut.
bool is_table(std::string_view head) {
  constexpr std::size_t looked_at = 8; // lines
  std::size_t cells = 0;
  for (std::size_t line = 0; line < looked_at && !head.empty(); ++line) {
    const std::size_t end = head.find('\n');
    if (end == std::string_view::npos && line > 0) break;
    const std::string_view text = head.substr(0, end);
    head.remove_prefix(end == std::string_view::npos ? head.size() : end + 1);
    if (line == 0) cells = cells_of(text);
    if (cells == 0 || (!text.empty() && cells_of(text) != cells)) return false;
    if (cells == 1 && std::count(text.begin(), text.end(), ' ') > 1) return false;
  }
  return cells > 0;
}

} // namespace

FileContent content_of(std::string_view head) {
  static constexpr std::array<std::pair<std::string_view, FileContent>, 7> known = {
      {{"\x89MCAP0\r\n", FileContent::log},
       {"MATLAB 5.0 MAT-file", FileContent::mat},
       {"\x89HDF\r\n", FileContent::mat},
       {"SQLite format 3", FileContent::results},
       {"PAR1", FileContent::parquet},
       {"\x89PNG\r\n", FileContent::picture},
       {"%PDF-", FileContent::picture}}};
  for (const auto& [begin, content] : known)
    if (head.starts_with(begin)) return content;
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  while (!head.empty() && is_space(head.front())) head.remove_prefix(1);
  if (head.empty()) return FileContent::nothing;
  if (is_binary(head)) return FileContent::other;
  if (head.front() == '<') {
    std::string begin(head.substr(0, 9));
    std::transform(begin.begin(), begin.end(), begin.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? c | 0x20 : c; });
    return begin == "<!doctype" && head.substr(9).starts_with(" html") ? FileContent::page : content_of_xml(head);
  }
  if (head.front() == '{' || head.front() == '[') return FileContent::json;
  return is_table(head) ? FileContent::table : FileContent::text;
}

FileContent content_of_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string head(head_bytes, '\0');
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
  return content_of(head);
}

const char* content_name(FileContent content) {
  switch (content) {
  case FileContent::nothing: return "empty";
  case FileContent::text: return "a text";
  case FileContent::table: return "a table of comma-separated values";
  case FileContent::json: return "JSON";
  case FileContent::picture: return "a picture";
  case FileContent::page: return "an HTML page";
  case FileContent::diagram: return "a diagram";
  case FileContent::overlay: return "an overlay";
  case FileContent::study: return "a study";
  case FileContent::schema: return "a schema";
  case FileContent::xml: return "XML of another kind";
  case FileContent::log: return "a log";
  case FileContent::mat: return "a MAT file";
  case FileContent::results: return "the results of a study";
  case FileContent::parquet: return "a Parquet file";
  case FileContent::other: break;
  }
  return "a file of another kind";
}

bool may_replace(FileContent there, FileContent wanted) {
  return there == FileContent::nothing || there == wanted ||
         (wanted == FileContent::text && there == FileContent::table);
}

} // namespace hilda::base
