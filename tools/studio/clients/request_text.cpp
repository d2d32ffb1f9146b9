#include "tools/studio/clients/request_text.h"

namespace hilda::studio {
namespace {

constexpr int deepest = 32, most_members = 20'000;

/// Without reading it as JSON: brackets and colons that stand in no string.
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

} // namespace

nlohmann::ordered_json parse_request(const std::string& text) {
  using Json = nlohmann::ordered_json;
  if (!modest(text)) return Json(Json::value_t::discarded);
  Json read = Json::parse(text, nullptr, false);
  return read.is_object() ? read : Json(Json::value_t::discarded);
}

} // namespace hilda::studio
