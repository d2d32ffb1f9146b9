// SPDX-License-Identifier: BSD-3-Clause
#include "engine/base/characters.h"
#include "engine/diagram/detail/xml/text/parsed_xml.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace hilda::diagram {
namespace {

constexpr std::size_t deepest_plain = 100, most_plain_attributes = 32;

constexpr bool begins_name(char c) { return is_letter(c) || c == '_'; }
constexpr bool within_name(char c) { return begins_name(c) || is_digit(c) || c == '.' || c == '-' || c == ':'; }

} // namespace

/// One walk over a text, a tag at a time. Each function is false where something is not plain.
class PlainXmlParser {
public:
  PlainXmlParser(std::string_view text, ParsedXml& into)
      : at_(text.data()), end_(text.data() + text.size()), into_(into), open_{{&into.top_, nullptr}} {}

  bool parse() {
    skip_blanks();
    if (starts("<?") && !skip_behind("?>", 2, ParsedNode::Kind::declaration)) return false;
    while (true) {
      skip_blanks();
      if (at_ == end_) return open_.size() == 1 && into_.root() != nullptr;
      if (!markup()) return false;
    }
  }

private:
  struct Level {
    ParsedNode* node;
    ParsedNode* last; ///< of what it holds
  };

  bool starts(std::string_view with) const {
    return static_cast<std::size_t>(end_ - at_) >= with.size() && std::string_view(at_, with.size()) == with;
  }
  void skip_blanks() {
    for (; at_ != end_ && is_blank(*at_); ++at_)
      if (*at_ == '\n') ++line_;
  }
  std::string_view name() {
    const char* begin = at_;
    if (at_ != end_ && begins_name(*at_))
      while (at_ != end_ && within_name(*at_)) ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }
  ParsedNode& add(ParsedNode::Kind kind, int line, std::string_view text) {
    return into_.add(open_.back().last, *open_.back().node, kind, line, text);
  }

  bool markup() {
    if (*at_ != '<') return false;
    if (starts("</")) return closing();
    if (starts("<!--")) return skip_behind("-->", 4, ParsedNode::Kind::comment);
    return opening();
  }

  /// A comment or declaration, which begins with so many characters.
  bool skip_behind(std::string_view end, std::size_t begin, ParsedNode::Kind kind) {
    const std::string_view rest(at_ + begin, static_cast<std::size_t>(end_ - at_) - begin);
    const std::size_t length = rest.find(end);
    if (length == std::string_view::npos) return false;
    add(kind, line_, rest.substr(0, length));
    line_ += static_cast<int>(std::count(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(length), '\n'));
    at_ += begin + length + end.size();
    return true;
  }

  bool closing() {
    at_ += 2;
    const std::string_view closed = name();
    skip_blanks();
    if (open_.size() == 1 || at_ == end_ || *at_ != '>' || closed != open_.back().node->name) return false;
    ++at_;
    open_.pop_back();
    return true;
  }

  bool opening() {
    const int line = line_;
    ++at_;
    const std::string_view opened = name();
    if (opened.empty() || open_.size() > deepest_plain) return false;
    ParsedNode& made = add(ParsedNode::Kind::element, line, opened);
    count_ = 0;
    while (true) {
      const char* before = at_;
      skip_blanks();
      if (at_ == end_) return false;
      if (*at_ == '>' || *at_ == '/') break;
      if (at_ == before || !attribute()) return false;
    }
    made.attributes = into_.keep(std::span(attributes_.data(), count_));
    if (*at_ == '/') {
      if (!starts("/>")) return false;
      at_ += 2;
      return true;
    }
    ++at_;
    open_.push_back({&made, nullptr});
    return true;
  }

  bool attribute() {
    const int line = line_;
    const std::string_view named = name();
    skip_blanks();
    if (named.empty() || at_ == end_ || *at_ != '=' || count_ == attributes_.size()) return false;
    for (std::size_t i = 0; i < count_; ++i)
      if (attributes_[i].name == named) return false;
    ++at_;
    skip_blanks();
    if (at_ == end_ || (*at_ != '"' && *at_ != '\'')) return false;
    const char quote = *at_++;
    const char* begin = at_;
    for (; at_ != end_ && *at_ != quote; ++at_) {
      if (*at_ == '<') return false;
      if (*at_ == '\n') ++line_;
    }
    if (at_ == end_) return false;
    attributes_[count_++] = {named, {begin, static_cast<std::size_t>(at_ - begin)}, line};
    ++at_;
    return true;
  }

  const char* at_;
  const char* const end_;
  ParsedXml& into_;
  std::vector<Level> open_;
  std::array<ParsedAttribute, most_plain_attributes> attributes_; ///< of the element at hand
  std::size_t count_ = 0;
  int line_ = 1;
};

bool ParsedXml::read_plain(std::string_view text) {
  clear();
  const auto has = [text](char c) { return !text.empty() && std::memchr(text.data(), c, text.size()) != nullptr; };
  if (!has('&') && !has('\r') && PlainXmlParser(text, *this).parse()) return true;
  clear();
  return false;
}

} // namespace hilda::diagram
