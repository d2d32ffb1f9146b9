// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_CHOICE_H
#define HILDA_CHOICE_H

// The words of a choice are the names of an enum class's values: written once, so that neither a word nor a value can
// be missing, double or in another's place.

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

namespace hilda {
inline namespace sdk1 {
namespace detail {

/// An enum class. Plain enums convert to integers, with which a choice is not compared.
template <typename T>
concept ScopedEnum = std::is_enum_v<T> && !std::is_convertible_v<T, int>;

constexpr std::size_t most_words = 16;

/// As the compiler writes it: "... V = AntiWindup::clamp]", or "... V = (AntiWindup)3]" where no value is 3.
template <auto V> constexpr const char* signature() { return __PRETTY_FUNCTION__; }

constexpr bool in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The value's name without an underscore behind it (`and_`: C++ takes "and" for itself); empty where it has none.
template <auto V> constexpr std::string_view word() {
  const std::string_view text = signature<V>();
  std::size_t end = text.size();
  while (end > 0 && !in_name(text[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && in_name(text[begin - 1])) --begin;
  const std::string_view name = text.substr(begin, end - begin);
  if (name.empty() || (name.front() >= '0' && name.front() <= '9')) return {};
  return name.back() == '_' ? name.substr(0, name.size() - 1) : name;
}

template <ScopedEnum E, std::size_t... I>
constexpr std::array<std::string_view, sizeof...(I)> names(std::index_sequence<I...>) {
  return {word<static_cast<E>(I)>()...};
}

/// "clamp|back_calculation|none"
template <ScopedEnum E> struct Words {
  static constexpr auto all = names<E>(std::make_index_sequence<most_words + 1>());
  static constexpr std::size_t count = [] {
    std::size_t n = 0;
    while (n < all.size() && !all[n].empty()) ++n;
    return n;
  }();
  static constexpr bool rest_is_empty = [] {
    for (std::size_t i = count; i < all.size(); ++i)
      if (!all[i].empty()) return false;
    return true;
  }();
  static_assert(
      count >= 1 && count <= most_words && rest_is_empty,
      "the values of a choice count from 0 on, without gaps and each with one name, at most 16 of them; an enum "
      "class inside of a class template goes before it");
  static constexpr std::size_t length = [] {
    std::size_t n = 0;
    for (std::size_t i = 0; i < count; ++i) n += all[i].size() + 1;
    return n;
  }();
  static constexpr std::array<char, length> text = [] {
    std::array<char, length> joined{};
    std::size_t at = 0;
    for (std::size_t i = 0; i < count; ++i) {
      for (const char c : all[i]) joined[at++] = c;
      joined[at++] = i + 1 < count ? '|' : '\0';
    }
    return joined;
  }();
};

} // namespace detail
} // namespace sdk1
} // namespace hilda

#endif
