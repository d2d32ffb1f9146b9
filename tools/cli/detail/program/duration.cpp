// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/program/duration.h"

#include <fmt/format.h>

namespace hilda::cli {

bool is_hardware(const System& system) { return system.mode == "hardware"; }

void add_duration_option(Command command, std::string& text, const std::string& description) {
  const auto is_time = [](const std::string& given) {
    std::string problem;
    return read_duration(given, problem) ? std::string()
                                         : fmt::format("'{}' is not a time such as 20s or 3min: {}", given, problem);
  };
  command.option("--for", text, description).type_name("TIME").check(is_time);
}

} // namespace hilda::cli
