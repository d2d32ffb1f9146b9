// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/rig/checklist_sensor.h"

#include "engine/base/word_list.h"
#include "tools/cli/detail/rig/network.h"

#include <cmath>
#include <cstdlib>
#include <fmt/format.h>

namespace hilda::cli {
namespace {

using Findings = std::vector<MachineFinding>;

constexpr double patience = 1.0;                  // s
constexpr double coarsest = 0.05;                 // N; below usual contact thresholds
constexpr unsigned long error_bits = 0xF8000000u; ///< range, simulated, checksum, out of range, any

/// The text between <name> and </name>; empty where there is no such element.
std::string element(const std::string& page, const std::string& name) {
  const std::size_t begin = page.find("<" + name + ">"), end = page.find("</" + name + ">");
  if (begin == std::string::npos || end == std::string::npos || end < begin) return "";
  return page.substr(begin + name.size() + 2, end - begin - name.size() - 2);
}

void look_at_sensor_network(const std::string& address, const std::string& robot_address, Findings& findings) {
  const std::optional<std::uint32_t> number = ipv4_number(address);
  const std::vector<OwnAddress> own = own_addresses();
  const OwnAddress* card = number ? neighbour(own, *number) : nullptr;
  if (card == nullptr) {
    findings.push_back({false, "sensor address", address + " is in no network of this machine",
                        "give the card towards the sensor an address next to it (ip address add ... dev CARD)"});
    return;
  }
  const std::optional<std::uint32_t> robot = ipv4_number(robot_address);
  const OwnAddress* robot_card = robot ? neighbour(own, *robot) : nullptr;
  const bool shared = robot_card != nullptr && !card->loopback && robot_card->interface == card->interface;
  findings.push_back({!shared, "sensor address",
                      fmt::format("{} by {}{}", address, card->interface, shared ? ", which the robot uses too" : ""),
                      shared ? "use two network cards: jitter on a shared one is paid for in lost cycles" : ""});
}

/// A line of the page that must be there or be given.
void look_at_meaning(const BlockFacts& sensor, const std::string& page, Findings& findings) {
  struct Line {
    const char *name, *parameter;
    bool number;
  };
  std::string missing, help;
  for (const Line& each : {Line{"cfgcpf", "counts_per_force", true},
                           {"cfgcpt", "counts_per_torque", true},
                           {"scfgfu", "force_unit", false},
                           {"scfgtu", "torque_unit", false}}) {
    const bool given = each.number ? sensor.number(each.parameter, 0) > 0 : !sensor.text(each.parameter).empty();
    if (given || !element(page, each.name).empty()) continue;
    add_word(missing, each.name);
    help += (help.empty() ? "give " : ", ") + std::string(each.parameter);
  }
  if (!missing.empty()) {
    findings.push_back({false, "sensor page", "lacks " + missing, help + ", from the calibration sheet"});
    return;
  }
  const std::string counts = element(page, "cfgcpf");
  const double per_unit = counts.empty() ? sensor.number("counts_per_force", 0) : std::strtod(counts.c_str(), nullptr);
  const std::string unit = element(page, "scfgfu").empty() ? sensor.text("force_unit") : element(page, "scfgfu");
  const double step = per_unit > 0 ? 1 / per_unit : INFINITY;
  findings.push_back({step < coarsest, "sensor resolution", fmt::format("a count is {:.3g} {}", step, unit),
                      step < coarsest ? "" : "choose a calibration with a smaller range on the page Configurations"});
}

void look_at_page(const BlockFacts& sensor, const std::string& address, int port, double period, Findings& findings) {
  std::string problem;
  const std::optional<std::string> page = http_page(address, port, "/netftapi2.xml", patience, problem);
  if (!page) {
    findings.push_back({false, "sensor page", fmt::format("http://{}:{}/netftapi2.xml: {}", address, port, problem),
                        "open it in a browser on this machine; check cable, power and address. A box without such a "
                        "page: rig.sensor_http_port=0, and counts and units as parameters"});
    return;
  }
  look_at_meaning(sensor, *page, findings);
  const std::string enabled = element(*page, "comrdte");
  const bool disabled = enabled == "Disabled" || enabled == "0";
  findings.push_back({!disabled, "sensor stream", disabled ? "RDT is disabled" : "RDT is enabled",
                      disabled ? "enable it on the box's page Communications" : ""});
  const double rate = std::strtod(element(*page, "comrdtrate").c_str(), nullptr);
  const bool fast = rate <= 0 || rate * period >= 2;
  findings.push_back(
      {fast, "sensor rate",
       rate > 0 ? fmt::format("{:g} records a second, {:g} a cycle", rate, rate * period) : "not reported",
       fast ? "" : "set the RDT output rate to 1000 or more: records are as old as their interval"});
  const unsigned long bits = std::strtoul(element(*page, "runstat").c_str(), nullptr, 0);
  const bool sound = (bits & error_bits) == 0;
  findings.push_back({sound, "sensor status", fmt::format("0x{:08x}", bits),
                      sound ? "" : "unload the sensor, check its cable, and look at the box's page Status"});
}

} // namespace

Findings look_at_sensor(const BlockFacts& sensor, const std::string& robot_address, double period) {
  Findings findings;
  const std::string address = sensor.text("address");
  look_at_sensor_network(address, robot_address, findings);
  const int port = static_cast<int>(sensor.number("http_port", 80));
  if (port > 0)
    look_at_page(sensor, address, port, period, findings);
  else
    look_at_meaning(sensor, "", findings);
  const double range = sensor.number("force_range", 0);
  findings.push_back(
      {range > 0, "sensor range", range > 0 ? fmt::format("{:g} N", range) : "is not given",
       range > 0
           ? ""
           : "set rig.force_range and rig.torque_range to the calibration's: records beyond are not measurements"});
  return findings;
}

} // namespace hilda::cli
