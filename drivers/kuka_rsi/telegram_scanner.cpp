// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/kuka_rsi/telegram_scanner.h"

#include "drivers/net/answer_text.h"

namespace hilda::kuka {
namespace {

bool is_name(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-' ||
         c == '.' || c == ':';
}

} // namespace

TelegramScanner::Token TelegramScanner::next() {
  if (problem_ != nullptr) return Token::error;
  return in_tag_ ? inside_tag() : content();
}

TelegramScanner::Token TelegramScanner::fail(const char* problem) {
  problem_ = problem;
  return Token::error;
}

void TelegramScanner::skip_blanks() {
  while (at_ < bytes_.size() && is_blank(bytes_[at_])) ++at_;
}

bool TelegramScanner::pass_over(std::string_view opening, std::string_view closing) {
  const std::size_t end = bytes_.find(closing, at_ + opening.size());
  if (end == std::string_view::npos) return false;
  at_ = end + closing.size();
  return true;
}

std::string_view TelegramScanner::take_name() {
  const std::size_t from = at_;
  while (at_ < bytes_.size() && is_name(bytes_[at_])) ++at_;
  return bytes_.substr(from, at_ - from);
}

TelegramScanner::Token TelegramScanner::content() {
  if (at_ == 0 && starts("\xEF\xBB\xBF")) at_ = 3;
  for (;;) {
    const std::size_t from = at_;
    while (at_ < bytes_.size() && bytes_[at_] != '<') ++at_;
    const std::string_view text = bytes_.substr(from, at_ - from);
    if (depth_ == 0 && root_seen_) {
      // Some controllers send the telegram with its terminating zero.
      if (text.find_first_not_of(std::string_view(" \t\r\n\0", 5)) != std::string_view::npos || at_ < bytes_.size())
        return fail("bytes follow the telegram's end");
      return Token::end;
    }
    if (!trimmed(text).empty()) {
      if (depth_ == 0) return fail("it does not begin with an element");
      value_ = trimmed(text);
      return Token::text;
    }
    if (at_ == bytes_.size()) return fail(depth_ == 0 ? "it is empty" : "it ends before its last element is closed");
    if (starts("<!--")) {
      if (!pass_over("<!--", "-->")) return fail("a comment is not closed");
    } else if (starts("<?")) {
      if (!pass_over("<?", "?>")) return fail("a declaration is not closed");
    } else {
      return markup();
    }
  }
}

TelegramScanner::Token TelegramScanner::markup() {
  if (starts("<!")) return fail("it holds a DOCTYPE or CDATA section");
  const bool closing = starts("</");
  at_ += closing ? 2 : 1;
  const std::string_view name = take_name();
  if (name.empty()) return fail("an element has no name");
  if (closing) {
    skip_blanks();
    if (at_ == bytes_.size() || bytes_[at_] != '>') return fail("an end tag is not closed");
    ++at_;
    return leave(name);
  }
  if (depth_ == most_depth) return fail("its elements are nested too deeply");
  open_[static_cast<std::size_t>(depth_++)] = name;
  name_ = name;
  in_tag_ = root_seen_ = true;
  return Token::open;
}

TelegramScanner::Token TelegramScanner::leave(std::string_view name) {
  if (depth_ == 0 || open_[static_cast<std::size_t>(depth_ - 1)] != name)
    return fail("an end tag closes an element that is not open");
  --depth_;
  name_ = name;
  return Token::close;
}

TelegramScanner::Token TelegramScanner::inside_tag() {
  skip_blanks();
  if (starts("/>")) {
    at_ += 2;
    in_tag_ = false;
    return leave(open_[static_cast<std::size_t>(depth_ - 1)]);
  }
  if (starts(">")) {
    ++at_;
    in_tag_ = false;
    return content();
  }
  name_ = take_name();
  if (name_.empty()) return fail(at_ == bytes_.size() ? "it ends inside a tag" : "a tag holds an unexpected character");
  skip_blanks();
  if (!starts("=")) return fail("an attribute has no value");
  ++at_;
  skip_blanks();
  if (!starts("\"") && !starts("'")) return fail("an attribute's value is not quoted");
  const std::size_t from = at_ + 1, end = bytes_.find(bytes_[at_], from);
  if (end == std::string_view::npos) return fail("a quoted value is not closed");
  if (bytes_.substr(from, end - from).find('<') != std::string_view::npos) return fail("a quoted value holds a <");
  value_ = trimmed(bytes_.substr(from, end - from));
  at_ = end + 1;
  return Token::attribute;
}

} // namespace hilda::kuka
