// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

namespace hilda::test {

// What a page makes of changes that it receives (docs/studio.md).

template <class Json> void change(Json& list, const Json& changes) {
  auto& all = list.template get_ref<typename Json::array_t&>();
  if (changes.contains("cut")) {
    const Json& cut = changes["cut"];
    const auto at = all.begin() + cut[0].template get<int>();
    all.insert(all.erase(at, at + cut[1].template get<int>()), cut[2].begin(), cut[2].end());
  }
  for (const Json& each : changes["entries"]) all[each[0].template get<std::size_t>()] = each[1];
  for (const Json& shift : changes.value("shifts", Json::array()))
    for (std::size_t i = 0; i < shift[2].template get<std::size_t>(); ++i) {
      Json& number = all[shift[1].template get<std::size_t>() + i][shift[0].template get<std::string>()];
      number = number.template get<std::int64_t>() + shift[3].template get<std::int64_t>();
    }
}

template <class Json> void change_scene(Json& scene, const Json& changes) {
  for (auto each = changes.begin(); each != changes.end(); ++each)
    if (each.value().is_object() && each.value().contains("entries"))
      change(scene[each.key()], each.value());
    else
      scene[each.key()] = each.value();
}

template <class Json> void change_hello(Json& hello, const Json& changes) {
  for (auto each = changes.begin(); each != changes.end(); ++each)
    if (each.key() == "scene" && each.value().is_object() && each.value()["symbols"].is_object())
      change_scene(hello["scene"], each.value());
    else if (hello[each.key()].is_array())
      change(hello[each.key()], each.value());
    else
      hello[each.key()] = each.value();
}

} // namespace hilda::test
