// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/server/query.h"

#include <algorithm>
#include <charconv>

namespace hilda::studio {
namespace {

std::string decoded(const std::string& text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned byte = 0;
    const char* const end = text.data() + std::min(i + 3, text.size());
    if (text[i] == '%' && i + 2 < text.size() && std::from_chars(text.data() + i + 1, end, byte, 16).ptr == end) {
      plain += static_cast<char>(byte);
      i += 2;
    } else {
      plain += text[i] == '+' ? ' ' : text[i];
    }
  }
  return plain;
}

} // namespace

std::vector<std::string> values_in(const std::string& target, const std::string& key) {
  std::vector<std::string> values;
  const std::string begin = key + "=";
  const std::size_t query = target.find('?');
  for (std::size_t at = query == std::string::npos ? target.size() : query + 1; at < target.size();) {
    const std::size_t end = std::min(target.find('&', at), target.size());
    const std::string one = target.substr(at, end - at);
    if (one.starts_with(begin)) values.push_back(decoded(one.substr(begin.size())));
    at = end + 1;
  }
  return values;
}

int number_behind(const std::string& path, const std::string& begin) {
  int number = -1;
  const char* const end = path.data() + path.size();
  if (!path.starts_with(begin)) return -1;
  const auto [stop, failed] = std::from_chars(path.data() + begin.size(), end, number);
  return failed == std::errc() && stop == end && number >= 0 ? number : -1;
}

} // namespace hilda::studio
