// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/access.h"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cctype>
#include <cstdint>
#include <cstdio>
#include <fmt/format.h>
#include <sys/random.h>
#include <system_error>

namespace hilda::studio {
namespace {

constexpr std::size_t least_token = 16;

/// Takes as long whatever is wrong.
bool same_token(const std::string& a, const std::string& b) {
  unsigned differs = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i)
    differs |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(i < b.size() ? b[i] : '\0');
  return differs == 0;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool is_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  if (host.size() > 2 && host.front() == '[' && host.back() == ']')
    return ::inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), bytes.data()) == 1;
  return ::inet_pton(AF_INET, host.c_str(), bytes.data()) == 1;
}

std::string bracketed(const std::string& address) {
  return address.find(':') == std::string::npos ? address : "[" + address + "]";
}

bool is_loopback(const std::string& address) { return address == "::1" || address.starts_with("127."); }

/// "localhost:8765": whatever cannot be led here by someone else's name service.
bool own_name(const AccessRules& rules, const std::string& host) {
  const std::string port = ":" + std::to_string(rules.port);
  if (!host.ends_with(port)) return false;
  const std::string name = lower(host.substr(0, host.size() - port.size()));
  if (name == bracketed(rules.address)) return true;
  const bool everywhere = rules.address == "0.0.0.0" || rules.address == "::";
  if (everywhere) return name == "localhost" || is_address(name);
  return is_loopback(rules.address) && name == "localhost";
}

std::string cookie_name(const AccessRules& rules) { return "hilda_" + std::to_string(rules.port); }

std::string token_kept(const AccessRules& rules, const std::string& cookies) {
  const std::string begin = cookie_name(rules) + "=";
  for (std::size_t at = 0; at < cookies.size();) {
    const std::size_t end = std::min(cookies.find(';', at), cookies.size());
    const std::size_t first = std::min(cookies.find_first_not_of(' ', at), end);
    const std::string one = cookies.substr(first, end - first);
    if (one.starts_with(begin)) return one.substr(begin.size());
    at = end + 1;
  }
  return {};
}

bool in_token(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.' || c == '~';
}

} // namespace

std::string token_in(const std::string& target) {
  const std::size_t query = target.find('?');
  if (query == std::string::npos) return {};
  for (std::size_t at = query + 1; at < target.size();) {
    const std::size_t end = std::min(target.find('&', at), target.size());
    const std::string one = target.substr(at, end - at);
    if (one.starts_with("token=")) return one.substr(6);
    at = end + 1;
  }
  return {};
}

std::string path_of(const std::string& target) { return target.substr(0, target.find('?')); }

Answer answer(const AccessRules& rules, const Knock& knock) {
  if (!own_name(rules, knock.host)) return Answer::foreign_name;
  if (knock.origin && *knock.origin != "http://" + knock.host &&
      std::find(rules.origins.begin(), rules.origins.end(), *knock.origin) == rules.origins.end())
    return Answer::foreign_page;
  const bool known =
      same_token(rules.token, token_in(knock.target)) || same_token(rules.token, token_kept(rules, knock.cookies));
  return known ? Answer::welcome : Answer::no_token;
}

std::string cookie_line(const AccessRules& rules) {
  return cookie_name(rules) + "=" + rules.token + "; Path=/; HttpOnly; SameSite=Strict";
}

std::string random_token() {
  std::array<std::uint8_t, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw std::system_error(errno, std::generic_category(), "no random numbers for the token");
  std::string token;
  for (const std::uint8_t byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

std::string fault_of_token(const std::string& token) {
  if (token.size() < least_token)
    return fmt::format("the token has {} characters, and must have {} at least", token.size(), least_token);
  if (!std::all_of(token.begin(), token.end(), in_token))
    return "the token holds a character that is not a letter, digit, '-', '_', '.' or '~'";
  return {};
}

std::string address_text(const AccessRules& rules) {
  return "http://" + bracketed(rules.address) + ":" + std::to_string(rules.port);
}

} // namespace hilda::studio
