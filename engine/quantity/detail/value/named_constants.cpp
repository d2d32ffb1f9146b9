// SPDX-License-Identifier: BSD-3-Clause
#include "engine/quantity/detail/value/named_constants.h"
#include "engine/base/characters.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>

namespace hilda::quantity {
namespace {

constexpr char separator = '\x1f'; // XML cannot hold it

/// "${7}", as long as `length` where that is enough.
std::string numbered(std::size_t number, std::size_t length) {
  std::string digits = std::to_string(number);
  const std::size_t frame = std::strlen("${}");
  if (digits.size() + frame < length) digits.insert(0, length - frame - digits.size(), '_');
  return "${" + digits + "}";
}

} // namespace

std::string NamedConstants::name_for(std::string_view written, double number) {
  const std::string_view inner = written.substr(2, written.size() - 3);
  const bool plain =
      std::all_of(inner.begin(), inner.end(), [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
  if (plain) {
    const auto [found, fresh] = constants_.try_emplace(std::string(written), number);
    if (fresh || std::bit_cast<std::uint64_t>(found->second) == std::bit_cast<std::uint64_t>(number))
      return found->first;
  }
  while (true)
    if (const auto [found, fresh] = constants_.try_emplace(numbered(next_++, written.size()), number); fresh)
      return found->first;
}

void NamedConstants::insert(std::string_view written, const Value& value) {
  if (value.kind == Value::Kind::text)
    insert_text(value);
  else
    text_ += name_for(written, value.numbers[0]);
}

/// A text may bring its own constants, of another scope: they get new names.
void NamedConstants::insert_text(const Value& value) {
  text_ += '(';
  std::string_view rest = value.with_constants().empty() ? value.text : value.with_constants();
  std::string body(rest.substr(0, rest.find(separator)));
  std::map<std::string, double, std::less<>> brought;
  for (std::size_t at = rest.find(separator); at != std::string_view::npos; at = rest.find(separator, at)) {
    const std::size_t equals = rest.find('=', ++at);
    const std::size_t end = std::min(rest.find(separator, equals), rest.size());
    double number = 0;
    std::from_chars(rest.data() + equals + 1, rest.data() + end, number);
    brought.emplace(rest.substr(at, equals - at), number);
  }
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t open = std::min(body.find("${", at), body.size());
    const std::size_t close = std::min(body.find('}', open), body.size());
    text_ += std::string_view(body).substr(at, open - at);
    at = std::min(close + 1, body.size());
    if (open == body.size()) break;
    const std::string name = body.substr(open, at - open);
    const auto found = brought.find(name);
    text_ += found == brought.end() ? name : name_for(name, found->second);
  }
  text_ += ')';
}

std::string NamedConstants::text() const {
  std::string all = text_;
  for (const auto& [name, number] : constants_) all += separator + name + "=" + decimal(number);
  return all;
}

} // namespace hilda::quantity
