// SPDX-License-Identifier: BSD-3-Clause
#include "tools/cli/detail/rig/checklist_robot.h"

#include "engine/diagram/plain_document.h"
#include "tools/cli/detail/rig/network.h"
#include "tools/cli/detail/rig/rsi_context.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <numbers>

namespace hilda::cli {
namespace {

using Findings = std::vector<MachineFinding>;

// What an object has where the context does not say, from the vendor's object reference of RSI 5.
constexpr double default_timeout = 10, default_precision = 1, default_translation = 5, default_rotation = 5,
                 default_monitor = 6;
/// Decimals of a millimetre below which contact figures change (docs/hardware.md).
constexpr double least_precision = 4;

void look_at_address(const std::string& address, int port, Findings& findings) {
  const std::optional<std::uint32_t> number = ipv4_number(address);
  const std::vector<OwnAddress> own = own_addresses();
  const auto mine = std::find_if(own.begin(), own.end(), [&](const OwnAddress& o) { return number == o.number; });
  const bool loopback = number && *number >> 24 == 127;
  if (!loopback && mine == own.end()) {
    findings.push_back({false, "robot address",
                        fmt::format("{} is not this machine's, so no telegram arrives", address),
                        "give the card towards the robot this address (ip address add " + address +
                            "/24 dev CARD), or put this machine's into IP_NUMBER on both ends"});
    return;
  }
  if (loopback)
    findings.push_back({true, "robot address", address + ": the loopback, for a cell on this machine alone", ""});
  else
    findings.push_back({true, "robot address", fmt::format("{} on {}", address, mine->interface), ""});
  const std::string taken = udp_port_taken(address, port);
  findings.push_back(
      {taken.empty(), "robot port", fmt::format("UDP {}: {}", port, taken.empty() ? "free" : taken),
       taken.empty() ? "" : "end the program that has it (ss -ulpn), or choose another PORT on both ends"});
}

bool held(const PlainElement& file, bool& any) {
  bool all = true;
  for (const PlainElement* receive : file.below("RECEIVE"))
    for (const PlainElement* element : receive->below("ELEMENT")) {
      const std::string_view tag = element->attribute("TAG");
      if (tag.starts_with("RKorr") || tag.starts_with("AK"))
        any = true, all = all && element->attribute("HOLDON") == "1";
    }
  return all;
}

bool sends(const PlainElement& file, std::string_view tag) {
  for (const PlainElement* send : file.below("SEND"))
    for (const PlainElement* element : send->below("ELEMENT"))
      if (element->attribute("TAG") == tag) return true;
  return false;
}

void look_at_ethernet(const BlockFacts& robot, const PlainElement& file, Findings& findings) {
  const bool relative = robot.text("correction") == "relative";
  bool any = false;
  const bool holds = held(file, any);
  findings.push_back({any && holds != relative, "HOLDON",
                      fmt::format("{} corrections, HOLDON=\"{}\"", relative ? "relative" : "absolute", holds ? 1 : 0),
                      any && holds != relative ? ""
                      : relative               ? "relative corrections want HOLDON=\"0\" on every correction"
                                               : "absolute corrections want HOLDON=\"1\" on every correction"});
  const bool delay = sends(file, "DEF_Delay");
  findings.push_back(
      {delay, "late answers", delay ? "DEF_Delay is sent" : "DEF_Delay is not sent: lost answers go unnoticed",
       delay ? "" : "add <ELEMENT TAG=\"DEF_Delay\" TYPE=\"LONG\" INDX=\"INTERNAL\"/> to SEND on both ends"});
  const std::string status = robot.text("status");
  findings.push_back({!status.empty(), "robot status",
                      status.empty() ? "no signal reports that the robot does not follow (brakes, emergency stop)"
                                     : "stops when " + status + " is not 0",
                      status.empty() ? "wire such a signal to an input of ETHERNET, add it to SEND, and name it: "
                                       "rig.status=\"Status.Stopped\""
                                     : ""});
  if (!robot.has("stop_channel")) return;
  const std::string stop = robot.text("stop_channel");
  findings.push_back(
      {!stop.empty(), "clean end",
       stop.empty() ? "none: the robot runs into its time-out at each end" : "by " + stop + ", wired to STOP",
       stop.empty() ? "add a BOOL to RECEIVE, wire it to a STOP object (ExitMoveCorr), and name it: "
                      "rig.stop_channel"
                    : ""});
}

/// POSCORR clamps without a word; only its output Stat shows it. The controller refuses it at ETHERNET, whose output
/// POSCORR depends on ("Circular linking"), so it has to act on the robot itself.
void look_at_stat(const RsiContext& context, const RsiObject& corr, Findings& findings) {
  const bool circular = context.wired(corr.id, "ETHERNET");
  const bool used = std::any_of(context.objects.begin(), context.objects.end(),
                                [&](const RsiObject& o) { return context.wired(corr.id, o.type); });
  const char* const found = circular ? "goes to ETHERNET: RSI_CREATE refuses that as circular linking"
                            : used   ? "is used"
                                     : "is wired to nothing: no one sees that it clamps";
  const char* const help = "wire its output Stat to GREATER (than 1) and that to STOP, as the vendor's examples do";
  findings.push_back({used && !circular, "POSCORR's Stat", found, used && !circular ? "" : help});
}

void look_at_monitors(const RsiContext& context, const MotionLimits& limits, Findings& findings) {
  const double far = 1e3 * limits[MotionLimits::position],
               turn = limits[MotionLimits::rotation] * 180 / std::numbers::pi;
  const RsiObject* corr = context.object("POSCORR");
  if (corr == nullptr) {
    if (context.object("AXISCORR") == nullptr)
      findings.push_back({false, "POSCORR", "the context has neither POSCORR nor AXISCORR: nothing is corrected",
                          "wire outputs 1 to 6 of ETHERNET to POSCORR"});
    return;
  }
  double least = INFINITY;
  for (const char* name : {"LowerLimX", "LowerLimY", "LowerLimZ", "UpperLimX", "UpperLimY", "UpperLimZ"})
    least = std::min(least, std::abs(corr->number(name).value_or(default_translation)));
  const double rotation = corr->number("MaxRotAngle").value_or(default_rotation);
  const bool inside = far <= least && turn <= rotation;
  findings.push_back({inside, "POSCORR",
                      fmt::format("clamps at {:g} mm and {:g} deg, without a word; the rig allows {:g} mm and {:g} deg",
                                  least, rotation, far, turn),
                      inside
                          ? ""
                          : fmt::format("set rig.position_limit to {:g} mm and rig.rotation_limit to {:g} deg or less, "
                                        "or raise POSCORR's limits",
                                        least, rotation)});
  look_at_stat(context, *corr, findings);
  const RsiObject* monitor = context.object("POSCORRMON");
  const double most = monitor != nullptr ? monitor->number("MaxTrans").value_or(default_monitor) : default_monitor;
  const double most_turn =
      monitor != nullptr ? monitor->number("MaxRotAngle").value_or(default_monitor) : default_monitor;
  // The rig's limit is of each coordinate, the monitor's of the way.
  const bool room = far * std::sqrt(3.0) <= most && turn <= most_turn;
  findings.push_back(
      {room, "POSCORRMON",
       fmt::format("{}ends RSI at {:g} mm and {:g} deg",
                   monitor == nullptr ? "is not in the context: its default " : "", most, most_turn),
       room ? ""
            : fmt::format(
                  "its MaxTrans must be above {:g} mm and MaxRotAngle above {:g} deg, or the rig's limits smaller",
                  std::ceil(far * std::sqrt(3.0)), turn)});
}

void look_at_context(const BlockFacts& robot, const MotionLimits& limits, const std::string& path, Findings& findings) {
  if (path.empty()) {
    findings.push_back(
        {false, "RSI context", "was not given, so its content was not checked",
         "copy NAME.rsi.xml (RSI 5: NAME.rsix) from the robot and give it: --rsi FILE. By hand: Precision "
         "of ETHERNET 4 or more (default 1), Timeout 20 or more (default 10), limits of POSCORR and "
         "POSCORRMON (defaults 5 and 6 mm) above the rig's"});
    return;
  }
  std::string problem;
  const std::optional<RsiContext> context = read_rsi_context(path, problem);
  const RsiObject* ethernet = context ? context->object("ETHERNET") : nullptr;
  if (ethernet == nullptr) {
    findings.push_back({false, "RSI context", context ? path + " has no ETHERNET object" : problem,
                        "give the context that RSI_CREATE names in the program on the robot"});
    return;
  }
  const std::string named = ethernet->parameters.count("ConfigFile") != 0 ? ethernet->parameters.at("ConfigFile") : "";
  const std::string ours = std::filesystem::path(robot.text("ethernet")).filename().string();
  findings.push_back({named == ours, "ethernet file", fmt::format("the context names {}, the rig {}", named, ours),
                      named == ours ? "" : "both ends must read the same file: copy the rig's to the robot"});
  const double precision = ethernet->number("Precision").value_or(default_precision);
  findings.push_back({precision >= least_precision, "Precision",
                      fmt::format("{:g} decimals: poses in steps of {:g} um", precision, std::pow(10.0, 3 - precision)),
                      precision >= least_precision
                          ? ""
                          : "set Precision of ETHERNET to 4 or more: coarser poses change stiffness and energy"});
  const double timeout = ethernet->number("Timeout").value_or(default_timeout),
               in_a_row = robot.number("lost_in_a_row", 5);
  findings.push_back({timeout > 2 * in_a_row, "Timeout",
                      fmt::format("RSI ends at {:g} late answers; the rig ends at {:g} in a row", timeout, in_a_row),
                      timeout > 2 * in_a_row ? ""
                                             : fmt::format("set Timeout of ETHERNET above {:g}: it counts late answers "
                                                           "in total, and the rig's own end should come first",
                                                           2 * in_a_row)});
  look_at_monitors(*context, limits, findings);
}

} // namespace

Findings look_at_robot(const BlockFacts& robot, const MotionLimits& limits, const std::string& rsi_context,
                       std::string& address) {
  Findings findings;
  std::string problem;
  const std::optional<PlainElement> file = read_plain_xml(robot.text("ethernet"), problem);
  if (!file) {
    findings.push_back({false, "ethernet file", problem, "give the file that the RSI context names"});
    return findings;
  }
  const auto value = [&](const char* name) {
    const auto found = file->below(name);
    return found.empty() ? std::string() : found.front()->text;
  };
  address = robot.text("address").empty() ? value("IP_NUMBER") : robot.text("address");
  const int port = static_cast<int>(robot.number("port", 0));
  look_at_address(address, port > 0 ? port : static_cast<int>(std::strtol(value("PORT").c_str(), nullptr, 10)),
                  findings);
  look_at_ethernet(robot, *file, findings);
  look_at_context(robot, limits, rsi_context, findings);
  return findings;
}

} // namespace hilda::cli
