// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/detail/export/foxglove_schemas.h"

#include <utility>
#include <vector>

namespace hilda::log {
namespace {

using Json = nlohmann::json;
using Fields = std::vector<std::pair<const char*, Json>>;

Json object(const Fields& fields) {
  Json properties = Json::object(), required = Json::array();
  for (const auto& [name, schema] : fields) properties[name] = schema, required.push_back(name);
  return {{"type", "object"}, {"properties", properties}, {"required", required}};
}
Json list(const Json& items) { return {{"type", "array"}, {"items", items}}; }
Json number() { return {{"type", "number"}}; }
Json text() { return {{"type", "string"}}; }
Json boolean() { return {{"type", "boolean"}}; }
Json choice(int count) {
  Json values = Json::array();
  for (int i = 0; i < count; ++i) values.push_back({{"const", i}});
  return {{"oneOf", values}};
}

/// Without `required`: Foxglove's has none either.
Json time(bool signed_seconds) {
  Json seconds = {{"type", "integer"}};
  if (!signed_seconds) seconds["minimum"] = 0;
  return {{"type", "object"},
          {"properties", {{"sec", seconds}, {"nsec", {{"type", "integer"}, {"minimum", 0}, {"maximum", 999999999}}}}}};
}

Json vector() { return object({{"x", number()}, {"y", number()}, {"z", number()}}); }
Json quaternion() { return object({{"x", number()}, {"y", number()}, {"z", number()}, {"w", number()}}); }
Json pose() { return object({{"position", vector()}, {"orientation", quaternion()}}); }
Json color() { return object({{"r", number()}, {"g", number()}, {"b", number()}, {"a", number()}}); }
Json indices() { return list({{"type", "integer"}, {"minimum", 0}}); }

Json arrow() {
  return object({{"pose", pose()},
                 {"shaft_length", number()},
                 {"shaft_diameter", number()},
                 {"head_length", number()},
                 {"head_diameter", number()},
                 {"color", color()}});
}
Json cube() { return object({{"pose", pose()}, {"size", vector()}, {"color", color()}}); }
Json cylinder() {
  return object(
      {{"pose", pose()}, {"size", vector()}, {"bottom_scale", number()}, {"top_scale", number()}, {"color", color()}});
}
Json line() {
  return object({{"type", choice(3)},
                 {"pose", pose()},
                 {"thickness", number()},
                 {"scale_invariant", boolean()},
                 {"points", list(vector())},
                 {"color", color()},
                 {"colors", list(color())},
                 {"indices", indices()}});
}
Json triangles() {
  return object({{"pose", pose()},
                 {"points", list(vector())},
                 {"color", color()},
                 {"colors", list(color())},
                 {"indices", indices()}});
}
Json label() {
  return object({{"pose", pose()},
                 {"billboard", boolean()},
                 {"font_size", number()},
                 {"scale_invariant", boolean()},
                 {"color", color()},
                 {"text", text()}});
}
Json model() {
  return object({{"pose", pose()},
                 {"scale", vector()},
                 {"color", color()},
                 {"override_color", boolean()},
                 {"url", text()},
                 {"media_type", text()},
                 {"data", {{"type", "string"}, {"contentEncoding", "base64"}}}});
}

Json entity() {
  return object({{"timestamp", time(false)},
                 {"frame_id", text()},
                 {"id", text()},
                 {"lifetime", time(true)},
                 {"frame_locked", boolean()},
                 {"metadata", list(object({{"key", text()}, {"value", text()}}))},
                 {"arrows", list(arrow())},
                 {"cubes", list(cube())},
                 {"spheres", list(cube())}, // the same fields
                 {"cylinders", list(cylinder())},
                 {"lines", list(line())},
                 {"triangles", list(triangles())},
                 {"texts", list(label())},
                 {"models", list(model())}});
}

} // namespace

Json frame_transforms_schema() {
  return object({{"transforms", list(object({{"timestamp", time(false)},
                                             {"parent_frame_id", text()},
                                             {"child_frame_id", text()},
                                             {"translation", vector()},
                                             {"rotation", quaternion()}}))}});
}

Json scene_update_schema() {
  return object({{"deletions", list(object({{"timestamp", time(false)}, {"type", choice(2)}, {"id", text()}}))},
                 {"entities", list(entity())}});
}

} // namespace hilda::log
