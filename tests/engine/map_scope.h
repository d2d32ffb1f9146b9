// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/quantity/value.h"
#include "tests/modules.h"

#include <gtest/gtest.h>
#include <initializer_list>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hilda::test {

/// Parameters by name, read in the order given, each with those before it in scope.
class MapScope : public Scope {
public:
  MapScope() = default;
  MapScope(std::initializer_list<std::pair<std::string, std::string>> texts) {
    for (const auto& [name, text] : texts) {
      const Result<Value> value = read_value(text, *this);
      EXPECT_TRUE(value) << name << ": " << value.error().what;
      if (value) values_.emplace(name, *value);
    }
  }
  Result<const Value*> find(const std::string& name) const override {
    if (name == "broken") return Error{};
    const auto found = values_.find(name);
    return found == values_.end() ? nullptr : &found->second;
  }
  std::vector<std::string> names() const override {
    std::vector<std::string> all;
    for (const auto& [name, value] : values_) all.push_back(name);
    return all;
  }

private:
  std::map<std::string, Value> values_;
};

} // namespace hilda::test
