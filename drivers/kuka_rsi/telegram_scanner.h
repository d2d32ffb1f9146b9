// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace hilda::kuka {

/// Walks through the bytes of a telegram, XML of the plainest kind, without allocating: elements, attributes in either
/// quotes, text; declarations and comments are passed over. Whatever the bytes are, it ends with `end` or `error`.
class TelegramScanner {
public:
  enum class Token { open, attribute, text, close, end, error };

  explicit TelegramScanner(std::string_view bytes) : bytes_(bytes) {}

  Token next();
  std::string_view name() const { return name_; }   ///< of the element or attribute
  std::string_view value() const { return value_; } ///< of the attribute or text, blanks around it cut off
  int depth() const { return depth_; }              ///< elements that are open: 1 inside the root
  const char* problem() const { return problem_; }  ///< literal
  std::size_t at() const { return at_; }

private:
  static constexpr int most_depth = 8;

  bool starts(std::string_view with) const { return bytes_.substr(at_).starts_with(with); }
  void skip_blanks();
  bool pass_over(std::string_view opening, std::string_view closing);
  std::string_view take_name();
  Token fail(const char* problem);
  Token content();
  Token markup();
  Token inside_tag();
  Token leave(std::string_view name);

  std::string_view bytes_, name_, value_;
  std::array<std::string_view, most_depth> open_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool in_tag_ = false, root_seen_ = false;
  const char* problem_ = nullptr;
};

} // namespace hilda::kuka
