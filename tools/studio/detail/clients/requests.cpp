// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/clients/requests.h"

#include <algorithm>
#include <utility>

namespace hilda::studio {
namespace {

constexpr int deepest = 32, most_members = 20'000;

/// Without reading it as JSON: brackets and colons that are in no string.
bool modest(const std::string& text) {
  int depth = 0, members = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    if (c == ':') ++members;
    if (depth > deepest || members > most_members) return false;
  }
  return true;
}

/// Behind a text that begins at its quote.
std::size_t end_of_string(const std::string& text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

} // namespace

Json id_in(const std::string& text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{' || text[i] == '[') ++depth;
    if (text[i] == '}' || text[i] == ']') --depth;
    if (text[i] != '"') continue;
    const std::size_t end = end_of_string(text, i);
    const bool named = depth == 1 && text.compare(i, end - i, "\"id\"") == 0;
    i = end - 1;
    const std::size_t colon = named ? text.find_first_not_of(" \t\r\n", end) : std::string::npos;
    if (colon == std::string::npos || text[colon] != ':') continue;
    const std::size_t begin = text.find_first_not_of(" \t\r\n", colon + 1);
    if (begin == std::string::npos) break;
    const std::size_t behind = text[begin] == '"' ? end_of_string(text, begin) : text.find_first_of(",}", begin);
    const Json id = Json::parse(text.substr(begin, behind - begin), nullptr, false);
    return id.is_number() || id.is_string() ? id : Json(nullptr);
  }
  return nullptr;
}

Json parse_request(const std::string& text) {
  if (!modest(text)) return Json(Json::value_t::discarded);
  Json read = Json::parse(text, nullptr, false);
  return read.is_object() ? read : Json(Json::value_t::discarded);
}

bool RequestQueue::put(ClientRequest request) {
  {
    const std::lock_guard guard(lock_);
    if (waiting_.size() >= most) return false;
    waiting_.push_back(std::move(request));
  }
  came_.notify_one();
  return true;
}

std::optional<ClientRequest> RequestQueue::take() {
  const std::lock_guard guard(lock_);
  if (waiting_.empty()) return std::nullopt;
  ClientRequest request = std::move(waiting_.front());
  waiting_.pop_front();
  return request;
}

void RequestQueue::wait(std::chrono::milliseconds longest) {
  std::unique_lock guard(lock_);
  came_.wait_for(guard, longest, [this] { return !waiting_.empty(); });
}

} // namespace hilda::studio
