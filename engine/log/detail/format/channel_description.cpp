// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/detail/format/channel_description.h"

#include <array>
#include <nlohmann/json.hpp>

namespace hilda::log {
namespace {

using Json = nlohmann::ordered_json;

// a name that is not UTF-8 must not end the run
std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

bool read(const Json& object, const char* key, std::string& text) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_string()) return false;
  text = found->get_ref<const std::string&>();
  return true;
}

bool read(const Json& object, const char* key, std::int64_t& number) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number_integer()) return false;
  number = found->get<std::int64_t>();
  return true;
}

std::optional<LogElement> element_named(const std::string& name) {
  for (const LogElement element : {LogElement::f64, LogElement::i64, LogElement::u64, LogElement::boolean})
    if (name == element_name(element)) return element;
  return std::nullopt;
}

std::optional<LogField> field_from(const Json& json) {
  LogField field;
  std::string element;
  if (!json.is_object() || !read(json, "name", field.name) || !read(json, "element", element) ||
      !read(json, "rows", field.rows) || !read(json, "cols", field.cols) || !read(json, "unit", field.unit) ||
      !read(json, "doc", field.doc) || !read(json, "kind", field.kind))
    return std::nullopt;
  const auto known = element_named(element);
  if (!known) return std::nullopt;
  field.element = *known;
  if (const auto names = json.find("names"); names != json.end() && names->is_array())
    for (const Json& each : *names) field.names.push_back(each.is_string() ? each.get<std::string>() : "");
  return field;
}

Json json_of(const LogChannel& channel) {
  Json fields = Json::array();
  for (const LogField& field : channel.fields) {
    fields.push_back({{"name", field.name},
                      {"element", element_name(field.element)},
                      {"rows", field.rows},
                      {"cols", field.cols},
                      {"unit", field.unit},
                      {"doc", field.doc},
                      {"kind", field.kind}});
    if (!field.names.empty()) fields.back()["names"] = field.names;
  }
  Json json = {{"path", channel.path},
               {"type", channel.type},
               {"class", channel.record_class == RecordClass::acquired ? "acquired" : "observed"},
               {"divider", channel.divider},
               {"fields", fields}};
  if (!channel.when.empty()) json["when"] = channel.when;
  json["held"] = channel.held;
  return json;
}

std::optional<LogChannel> channel_from(const Json& json) {
  LogChannel channel;
  std::string record_class;
  if (!json.is_object() || !read(json, "path", channel.path) || !read(json, "type", channel.type) ||
      !read(json, "class", record_class) || !read(json, "divider", channel.divider))
    return std::nullopt;
  channel.record_class = record_class == "acquired" ? RecordClass::acquired : RecordClass::observed;
  if (json.contains("when") && !read(json, "when", channel.when)) return std::nullopt;
  // logs of 0.1.0 do not say it
  const auto held = json.find("held");
  channel.held = held != json.end() && held->is_boolean() ? held->get<bool>() : channel.divider > 1;
  const auto fields = json.find("fields");
  if (fields == json.end() || !fields->is_array()) return std::nullopt;
  for (const Json& entry : *fields) {
    auto field = field_from(entry);
    if (!field) return std::nullopt;
    channel.fields.push_back(std::move(*field));
  }
  return channel;
}

} // namespace

std::string describe_channels(std::span<const NumberedChannel> channels) {
  Json all = Json::array();
  for (const NumberedChannel& each : channels) {
    Json json = json_of(each.channel);
    json["number"] = each.number;
    all.push_back(std::move(json));
  }
  return text_of(all);
}

std::vector<NumberedChannel> channels_from_description(std::string_view text, std::int64_t number) {
  const Json json = Json::parse(text, nullptr, false);
  std::vector<NumberedChannel> channels;
  if (json.is_object()) {
    auto channel = channel_from(json);
    if (channel) channels.push_back({std::move(*channel), number});
  } else if (json.is_array()) {
    for (const Json& entry : json) {
      auto channel = channel_from(entry);
      NumberedChannel numbered;
      if (!channel || !read(entry, "number", numbered.number)) return {};
      numbered.channel = std::move(*channel);
      channels.push_back(std::move(numbered));
    }
  }
  return channels;
}

std::string text_map_to_json(const std::map<std::string, std::string>& map) { return text_of(Json(map)); }

std::optional<std::map<std::string, std::string>> text_map_from_json(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  std::map<std::string, std::string> map;
  for (const auto& [key, value] : json.items()) {
    if (!value.is_string()) return std::nullopt;
    map.emplace(key, value.get<std::string>());
  }
  return map;
}

} // namespace hilda::log
