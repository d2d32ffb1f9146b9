#pragma once

#include <string>

namespace hilda::cli {

/// What differs between two texts, as `diff -u` writes it; empty where nothing does. `patch` takes it.
std::string unified_diff(const std::string& before, const std::string& after, const std::string& before_name,
                         const std::string& after_name);

} // namespace hilda::cli
