// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/kuka_rsi/correction.h"

#include "drivers/kuka_rsi/telegram_writer.h"

namespace hilda::kuka {
namespace {

std::string tag_of(Space space, const char* element, std::size_t i) {
  const std::string attribute = space == Space::cartesian ? std::string(1, "XYZABC"[i]) : "A" + std::to_string(i + 1);
  return std::string(element) + "." + attribute;
}

std::string missing_corrections(const EthernetFile& file, Space space) {
  const char* element = space == Space::cartesian ? "RKorr" : file.received("AK.A1") >= 0 ? "AK" : "AKorr";
  std::string missing;
  for (std::size_t i = 0; i < 6; ++i) {
    const std::string tag = tag_of(space, element, i);
    if (file.received(tag) < 0) missing += (missing.empty() ? "" : ", ") + tag;
  }
  return missing;
}

void check_hold(const EthernetFile& file, const CorrectionChannels& channels, CorrectionKind kind,
                std::vector<std::string>& found) {
  const bool wanted = kind == CorrectionKind::absolute;
  std::string wrong;
  for (const int at : channels.at) {
    const Channel& channel = file.receive[static_cast<std::size_t>(at)];
    if (channel.hold != wanted)
      wrong += (wrong.empty() ? "" : ", ") + channel.tag + " (line " + std::to_string(channel.line) + ")";
  }
  if (wrong.empty()) return;
  if (wanted)
    found.push_back("HOLDON=\"0\" at " + wrong +
                    ": with absolute corrections one lost packet makes the correction fall to 0, a step back to the "
                    "start pose; write HOLDON=\"1\" there, on the robot and in this file, or correct relatively "
                    "(correction=\"relative\", and #RELATIVE in RSI_ON)");
  else
    found.push_back("HOLDON=\"1\" at " + wrong +
                    ": with relative corrections a lost packet makes the robot repeat its last increment each cycle; "
                    "write HOLDON=\"0\" there, on the robot and in this file, or correct absolutely "
                    "(correction=\"absolute\", and #ABSOLUTE in RSI_ON)");
}

} // namespace

CorrectionChannels find_corrections(const EthernetFile& file, Space space) {
  const char* element = space == Space::cartesian ? "RKorr" : file.received("AK.A1") >= 0 ? "AK" : "AKorr";
  CorrectionChannels channels;
  for (std::size_t i = 0; i < 6; ++i) channels.at[i] = file.received(tag_of(space, element, i));
  return channels;
}

std::vector<std::string> refusals(const EthernetFile& file, Space space, CorrectionKind kind) {
  std::vector<std::string> found;
  if (file.only_send)
    found.emplace_back("ONLYSEND is TRUE: the robot takes no answers and cannot be corrected; write FALSE");
  if (file.sent("DEF_RIst") == nullptr)
    found.emplace_back("SEND has no DEF_RIst: without the actual pose nothing can be closed over the robot; add "
                       "<ELEMENT TAG=\"DEF_RIst\" TYPE=\"DOUBLE\" INDX=\"INTERNAL\"/>");
  if (space == Space::axis && file.sent("DEF_AIPos") == nullptr)
    found.emplace_back("SEND has no DEF_AIPos: space=\"axis\" needs the actual joint angles; add "
                       "<ELEMENT TAG=\"DEF_AIPos\" TYPE=\"DOUBLE\" INDX=\"INTERNAL\"/>");
  if (file.sent("DEF_Delay") == nullptr)
    found.emplace_back(
        "SEND has no DEF_Delay: it alone reports whether the robot took an answer, and limits count from "
        "what it took; add "
        "<ELEMENT TAG=\"DEF_Delay\" TYPE=\"LONG\" INDX=\"INTERNAL\"/>");
  const CorrectionChannels channels = find_corrections(file, space);
  if (!channels.complete()) {
    found.push_back("RECEIVE has no " + missing_corrections(file, space) + ": space=\"" +
                    (space == Space::cartesian ? "cartesian\" needs all of RKorr.X to RKorr.C"
                                               : "axis\" needs all of AKorr.A1 to AKorr.A6 (or AK.A1 to AK.A6)"));
    return found;
  }
  for (const int at : channels.at) {
    const Channel& channel = file.receive[static_cast<std::size_t>(at)];
    if (channel.type != ChannelType::real)
      found.push_back("line " + std::to_string(channel.line) + ": " + channel.tag +
                      ": TYPE of a correction must be DOUBLE");
  }
  check_hold(file, channels, kind, found);
  return found;
}

void CartesianCorrection::begin(const Pose& start, CorrectionKind kind, CorrectionFrame frame) {
  kind_ = kind, frame_ = frame;
  start_ = wanted_ = taken_ = before_ = start;
}

Six CartesianCorrection::next(const Pose& wanted) {
  const Pose& from = kind_ == CorrectionKind::absolute ? start_ : taken_;
  Six correction = correction_between(from, wanted, frame_);
  for (double& value : correction) value = as_written(value);
  const Pose reached = corrected(from, correction, frame_);
  before_ = taken_, taken_ = reached, wanted_ = wanted;
  return correction;
}

Six CartesianCorrection::hold() const {
  return kind_ == CorrectionKind::absolute ? correction_between(start_, taken_, frame_) : Six{};
}

void AxisCorrection::begin(const Vector6& start, CorrectionKind kind) {
  kind_ = kind;
  start_ = wanted_ = taken_ = before_ = start;
}

Six AxisCorrection::next(const Vector6& wanted) {
  const Vector6& from = kind_ == CorrectionKind::absolute ? start_ : taken_;
  Six correction = degrees_from_radians(Vector6(wanted - from));
  for (double& value : correction) value = as_written(value);
  const Vector6 reached = from + radians_from_degrees(correction);
  before_ = taken_, taken_ = reached, wanted_ = wanted;
  return correction;
}

Six AxisCorrection::hold() const {
  return kind_ == CorrectionKind::absolute ? degrees_from_radians(Vector6(taken_ - start_)) : Six{};
}

} // namespace hilda::kuka
