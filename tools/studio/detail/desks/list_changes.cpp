// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/desks/list_changes.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

namespace hilda::studio {
namespace {

/// Numbered through over a list, so that one entry less gives many another number, and nothing else: nets of a drawing,
/// lines of a file.
constexpr std::array<const char*, 3> counted{"net", "line", "last"};
constexpr std::array<const char*, 3> lists_of_scene{"symbols", "wires", "flags"};

template <std::size_t Size> bool is_one_of(const std::array<const char*, Size>& names, const std::string& name) {
  return std::any_of(names.begin(), names.end(), [&name](const char* each) { return name == each; });
}

bool both_numbers(const Json& a, const Json& b) { return a.is_number_integer() && b.is_number_integer(); }

bool alike_but_for_numbers(const Json& a, const Json& b) {
  if (!a.is_object() || !b.is_object() || a.size() != b.size()) return a == b;
  auto one = a.begin(), other = b.begin();
  for (; one != a.end(); ++one, ++other) {
    if (one.key() != other.key()) return false;
    const bool number = is_one_of(counted, one.key()) && both_numbers(one.value(), other.value());
    if (!number && one.value() != other.value()) return false;
  }
  return true;
}

/// Numbers that are others by as much as those of the entry before are reported with them.
class Shifts {
public:
  void add(std::size_t index, const Json& before, const Json& now) {
    for (const char* key : counted) {
      if (!now.contains(key) || now[key] == before[key]) continue;
      const std::int64_t by = now[key].get<std::int64_t>() - before[key].get<std::int64_t>();
      const auto last = last_.find(key);
      if (last != last_.end()) {
        Json& run = all_[last->second];
        if (run[1].get<std::size_t>() + run[2].get<std::size_t>() == index && run[3] == by) {
          run[2] = run[2].get<std::size_t>() + 1;
          continue;
        }
      }
      last_[key] = all_.size();
      all_.push_back({key, index, 1, by});
    }
  }
  Json take() { return std::move(all_); }

private:
  Json all_ = Json::array();
  std::map<std::string, std::size_t> last_; ///< by key
};

} // namespace

bool is_none(const Json& changes) {
  return !changes.contains("cut") && !changes.contains("shifts") && changes["entries"].empty();
}

Json list_changes(Json& before, const Json& now) {
  Json changes = Json::object();
  std::size_t added_from = 0, added_to = 0;
  if (before.size() != now.size()) {
    const std::size_t least = std::min(before.size(), now.size());
    std::size_t head = 0, tail = 0;
    while (head < least && alike_but_for_numbers(before[head], now[head])) ++head;
    while (tail < least - head && alike_but_for_numbers(before[before.size() - 1 - tail], now[now.size() - 1 - tail]))
      ++tail;
    added_from = head, added_to = now.size() - tail;
    const std::size_t removed = before.size() - head - tail;
    auto& list = before.get_ref<Json::array_t&>();
    const auto at = list.erase(list.begin() + static_cast<std::ptrdiff_t>(head),
                               list.begin() + static_cast<std::ptrdiff_t>(head + removed));
    const auto first = now.begin() + static_cast<std::ptrdiff_t>(added_from);
    const auto end = now.begin() + static_cast<std::ptrdiff_t>(added_to);
    list.insert(at, first, end);
    changes["cut"] = {head, removed, Json(Json::array_t(first, end))};
  }
  Json entries = Json::array();
  Shifts shifts;
  for (std::size_t i = 0; i < now.size(); ++i) {
    if ((i >= added_from && i < added_to) || before[i] == now[i]) continue;
    if (now[i].is_object() && alike_but_for_numbers(before[i], now[i]))
      shifts.add(i, before[i], now[i]);
    else
      entries.push_back({i, now[i]});
    before[i] = now[i];
  }
  changes["entries"] = std::move(entries);
  if (Json all = shifts.take(); !all.empty()) changes["shifts"] = std::move(all);
  return changes;
}

Json scene_changes(Json& before, const Json& now, bool& same) {
  Json changes = Json::object();
  for (auto each = now.begin(); each != now.end(); ++each) {
    const std::string& key = each.key();
    if (is_one_of(lists_of_scene, key)) {
      changes[key] = list_changes(before[key], each.value());
      same = same && is_none(changes[key]);
    } else {
      same = same && before[key] == each.value();
      changes[key] = before[key] = each.value();
    }
  }
  return changes;
}

Json hello_changes(Json& before, const Json& now) {
  Json changes = Json::object();
  for (auto each = now.begin(); each != now.end(); ++each) {
    const std::string& key = each.key();
    Json &known = before[key], made;
    bool same = true;
    if (key == "scene" && known.is_object() && each.value().is_object()) {
      made = scene_changes(known, each.value(), same);
    } else if (known.is_array() && each.value().is_array()) {
      made = list_changes(known, each.value());
      same = is_none(made);
    } else {
      same = known == each.value();
      made = known = each.value();
    }
    if (!same) changes[key] = std::move(made);
  }
  return changes;
}

} // namespace hilda::studio
