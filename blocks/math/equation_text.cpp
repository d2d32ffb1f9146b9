// SPDX-License-Identifier: BSD-3-Clause
#include "equation_text.h"

#include "expression_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <utility>

namespace equations {
namespace {

constexpr int deepest = 100;

bool begins_word(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// Operators of two sides from the loosest to the tightest; the longer of two that begin alike comes first.
struct Level {
  std::array<std::string_view, 6> signs;
};
constexpr std::array<Level, 5> levels = {
    {{{"||"}}, {{"&&"}}, {{"<=", ">=", "==", "!=", "<", ">"}}, {{"+", "-"}}, {{"*", "/"}}}};

class ExpressionReader {
public:
  explicit ExpressionReader(std::string_view text) : text_(text) {}

  Node whole() {
    Node made = choice();
    skip();
    if (at_ == text_.size()) return made;
    if (text_[at_] == '.' && at_ > 0 && in_word(text_[at_ - 1])) // W0.5
      refuse("there is " + shown() + " too much", "a power is written with ^, such as W^0.5");
    refuse("there is " + shown() + " too much");
  }

private:
  [[noreturn]] void
  refuse(const std::string& what,
         const std::string& help = "write such as \"(u - c*v)/m\"; a product is written with *") const {
    throw Refusal("cannot be read at character " + std::to_string(at_ + 1) + ": " + what, help);
  }
  /// The text at this place, cut where no character of UTF-8 is broken.
  std::string shown() const {
    std::size_t end = std::min(at_ + 12, text_.size());
    while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0U) == 0x80U) ++end;
    return "'" + std::string(text_.substr(at_, end - at_)) + "'";
  }
  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  bool take(std::string_view sign) {
    skip();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }
  void want(std::string_view sign) {
    if (take(sign)) return;
    refuse("'" + std::string(sign) + "' is missing");
  }

  /// Counts how deep the reading goes, so that no text is deeper than the stack.
  struct Depth {
    explicit Depth(ExpressionReader& in) : reader(in) {
      if (++reader.depth_ > deepest) reader.refuse("it is nested too deeply");
    }
    ~Depth() { --reader.depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    ExpressionReader& reader;
  };

  Node choice() {
    const Depth depth(*this);
    Node condition = operation(0);
    if (!take("?")) return condition;
    Node yes = choice();
    want(":");
    Node no = choice();
    Node made{.kind = Node::Kind::choice, .number = 0, .text = "?", .of = {}};
    made.of.push_back(std::move(condition));
    made.of.push_back(std::move(yes));
    made.of.push_back(std::move(no));
    return made;
  }

  Node operation(std::size_t level) {
    if (level == levels.size()) return sign();
    Node left = operation(level + 1);
    while (true) {
      std::string_view found;
      for (const std::string_view each : levels[level].signs)
        if (!each.empty() && take(each)) {
          found = each;
          break;
        }
      if (found.empty()) return left;
      left = both(found, std::move(left), operation(level + 1));
    }
  }

  static Node both(std::string_view sign, Node left, Node right) {
    Node made{.kind = Node::Kind::operation, .number = 0, .text = std::string(sign), .of = {}};
    made.of.push_back(std::move(left));
    made.of.push_back(std::move(right));
    return made;
  }

  Node sign() {
    const Depth depth(*this);
    if (take("+")) return sign();
    const bool minus = take("-");
    if (!minus && !take("!")) return power();
    Node made{.kind = minus ? Node::Kind::negation : Node::Kind::inversion, .number = 0, .text = "", .of = {}};
    made.of.push_back(sign());
    return made;
  }

  /// From the right, and tighter than a sign before it: -2^2 is -4, 2^-1 is a half.
  Node power() {
    Node base = elements(primary());
    return take("^") ? both("^", std::move(base), sign()) : base;
  }

  Node elements(Node of) {
    while (take("[")) {
      Node made{.kind = Node::Kind::element, .number = 0, .text = "", .of = {}};
      made.of.push_back(std::move(of));
      do made.of.push_back(index());
      while (take(","));
      want("]");
      if (made.of.size() > 3) refuse("an element has one index or two");
      of = std::move(made);
    }
    return of;
  }

  Node index() {
    skip();
    Node made;
    const char* const from = text_.data() + at_;
    std::uint16_t number = 0;
    const auto [end, error] = std::from_chars(from, text_.data() + text_.size(), number);
    if (error != std::errc()) refuse("an index is a whole number from 0 on");
    at_ += static_cast<std::size_t>(end - from);
    made.number = number;
    return made;
  }

  Node primary() {
    skip();
    if (at_ == text_.size()) refuse("it ends too early");
    if (take("(")) {
      Node made = choice();
      want(")");
      return made;
    }
    if (begins_word(text_[at_])) return word();
    Node made;
    const char* const from = text_.data() + at_;
    const auto [end, error] = std::from_chars(from, text_.data() + text_.size(), made.number);
    if (error != std::errc()) refuse("a number or a name is missing before " + shown());
    at_ += static_cast<std::size_t>(end - from);
    return made;
  }

  Node word() {
    const std::size_t from = at_;
    while (at_ < text_.size() && in_word(text_[at_])) ++at_;
    Node made{.kind = Node::Kind::name, .number = 0, .text = std::string(text_.substr(from, at_ - from)), .of = {}};
    if (!take("(")) return made;
    made.kind = Node::Kind::call;
    do made.of.push_back(choice());
    while (take(","));
    if (made.of[0].kind == Node::Kind::number) made.of[0].text = unit();
    want(")");
    return made;
  }

  /// The text behind a number, up to the parenthesis: "ms".
  std::string unit() {
    skip();
    if (at_ == text_.size() || !begins_word(text_[at_])) return "";
    const std::size_t from = at_;
    at_ = std::min(text_.find(')', at_), text_.size());
    std::size_t to = at_;
    while (text_[to - 1] == ' ') --to;
    return std::string(text_.substr(from, to - from));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

std::string_view trimmed_text(std::string_view text) {
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

} // namespace

Node read_expression(std::string_view text) {
  constexpr std::size_t longest = 4000;
  if (text.find("${") != std::string_view::npos)
    throw Refusal("has ${...} in it",
                  "an equation knows the names of its block: give <parameter name=\"...\" value=\"${...}\"/>");
  if (text.size() > longest)
    throw Refusal("is longer than " + std::to_string(longest) + " characters",
                  "split it: NAME = ... is a separate line");
  return ExpressionReader(text).whole();
}

Equation read_equation(std::string_view text) {
  const std::size_t at = expression_words::equal_sign(text); // the equation's own
  if (at == std::string_view::npos)
    throw Refusal("is not an equation", "write such as \"x' = v\", \"n+ = n + 1\" or \"y = x\"");
  Equation made;
  std::string_view left = trimmed_text(text.substr(0, at));
  if (left.ends_with('\''))
    made.form = Equation::Form::derivative, left.remove_suffix(1);
  else if (left.ends_with('+'))
    made.form = Equation::Form::next, left.remove_suffix(1);
  made.left = trimmed_text(left);
  if (!is_identifier(made.left))
    throw Refusal("has no name on its left",
                  "the left side is x' (a rate of change), n+ (the next value) or y (an output, or a new name)");
  made.right = read_expression(text.substr(at + 1));
  return made;
}

bool is_condition(const Node& node, const std::set<std::string>& truths) {
  constexpr std::array<std::string_view, 6> comparisons = {"<", "<=", ">", ">=", "==", "!="};
  switch (node.kind) {
  case Node::Kind::name: return truths.contains(node.text);
  case Node::Kind::inversion: return is_condition(node.of[0], truths);
  case Node::Kind::choice: return is_condition(node.of[1], truths) && is_condition(node.of[2], truths);
  case Node::Kind::call: return node.text == "after";
  case Node::Kind::operation:
    if (node.text == "&&" || node.text == "||")
      return is_condition(node.of[0], truths) && is_condition(node.of[1], truths);
    return std::find(comparisons.begin(), comparisons.end(), node.text) != comparisons.end();
  default: return false;
  }
}

void want_condition(const Node& node, const std::set<std::string>& truths) {
  if (!is_condition(node, truths))
    throw Refusal("is a number and not a condition", "compare it: u > 0; conditions are joined by && and ||");
}

void collect_names(const Node& node, std::vector<std::string>& names) {
  if (node.kind == Node::Kind::name && std::find(names.begin(), names.end(), node.text) == names.end())
    names.push_back(node.text);
  for (const Node& each : node.of) collect_names(each, names);
}

bool is_identifier(std::string_view text) {
  constexpr std::size_t longest = 60;
  return !text.empty() && text.size() <= longest && begins_word(text.front()) &&
         std::all_of(text.begin(), text.end(), in_word);
}

} // namespace equations
