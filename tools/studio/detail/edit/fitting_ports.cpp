// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/detail/edit/fitting_ports.h"

#include <chrono>
#include <optional>

namespace hilda::studio {
namespace {

constexpr std::chrono::milliseconds longest_trial{200}; // of all of them; the page waits for it

std::optional<bool> is_input(const Json& elements, const std::string& port) {
  for (const Json& element : elements)
    for (const Json& each : element["ports"])
      if (each["name"] == port) return each["input"].get<bool>();
  return std::nullopt;
}

} // namespace

Json fitting_ports(const Json& elements, const std::string& port, const PortTrial& trial, std::string& error) {
  const std::optional<bool> input = is_input(elements, port);
  if (!input) {
    error = "there is no port '" + port + "' here";
    return nullptr;
  }
  const auto begun = std::chrono::steady_clock::now();
  Json all = Json::array();
  for (const Json& element : elements)
    for (const Json& each : element["ports"]) {
      if (each["input"].get<bool>() == *input) continue;
      const auto name = each["name"].get<std::string>();
      const auto driver = (*input ? std::string() : each["driver"].get<std::string>());
      Json made{{"name", name}, {"fits", nullptr}, {"why", ""}};
      if (!driver.empty()) {
        made["fits"] = false;
        made["why"] = "driven already, by " + driver;
      } else if (std::chrono::steady_clock::now() - begun < longest_trial) {
        const std::string why = *input ? trial(name, port) : trial(port, name);
        made["fits"] = why.empty();
        made["why"] = why;
      }
      all.push_back(std::move(made));
    }
  return all;
}

} // namespace hilda::studio
