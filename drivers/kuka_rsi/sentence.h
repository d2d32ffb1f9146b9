// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace hilda::kuka {

/// [loop] A text with numbers in it, put together without allocating memory. What does not fit is left out.
class Sentence {
public:
  Sentence& begin() {
    used_ = 0;
    text_[0] = '\0';
    return *this;
  }
  Sentence& operator<<(std::string_view text) {
    const std::size_t n = text.size() < room() ? text.size() : room();
    std::memcpy(text_.data() + used_, text.data(), n);
    used_ += n;
    text_[used_] = '\0';
    return *this;
  }
  Sentence& operator<<(std::int64_t number) {
    char digits[24];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
    return error == std::errc{} ? *this << std::string_view(digits, static_cast<std::size_t>(end - digits)) : *this;
  }
  /// With one decimal; numbers beyond 1e15 are not for sentences.
  Sentence& operator<<(double number) {
    if (!(std::fabs(number) < 1e15)) return *this << "very many";
    const std::int64_t tenths = std::llround(number * 10);
    if (tenths < 0) *this << "-";
    const std::int64_t size = tenths < 0 ? -tenths : tenths;
    return *this << size / 10 << "." << size % 10;
  }
  const char* text() const { return text_.data(); }

private:
  std::size_t room() const { return text_.size() - 1 - used_; }
  std::array<char, 400> text_{};
  std::size_t used_ = 0;
};

} // namespace hilda::kuka
