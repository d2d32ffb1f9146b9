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
  if (kind == CorrectionKind::relative && file.sent("DEF_Delay") == nullptr)
    found.emplace_back("SEND has no DEF_Delay: it alone tells of a relative correction that was lost; add "
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

void CartesianCorrection::begin(const Pose& start, CorrectionKind kind, CorrectionFrame frame, double decay) {
  kind_ = kind, frame_ = frame, decay_ = decay;
  start_ = wanted_ = applied_ = before_ = start;
  offset_.setZero();
  turned_.setIdentity();
}

Six CartesianCorrection::next(const Pose& wanted, bool last_lost) {
  const Six correction =
      kind_ == CorrectionKind::absolute ? correction_between(start_, wanted, frame_) : increment(wanted, last_lost);
  wanted_ = wanted;
  return correction;
}

Six CartesianCorrection::increment(const Pose& wanted, bool last_lost) {
  if (last_lost) {
    applied_ = before_;
    offset_ = applied_.position - wanted_.position;
    turned_ = applied_.orientation * wanted_.orientation.conjugate();
  }
  offset_ *= decay_;
  turned_ = Quaternion::Identity().slerp(decay_, turned_);
  Pose target;
  target.position = wanted.position + offset_;
  target.orientation = turned_ * wanted.orientation;
  Six correction = correction_between(applied_, target, frame_);
  for (double& value : correction) value = as_written(value);
  before_ = applied_;
  applied_ = corrected(applied_, correction, frame_);
  return correction;
}

Pose CartesianCorrection::rest() const {
  if (kind_ == CorrectionKind::absolute) return wanted_;
  Pose pose;
  pose.position = applied_.position - offset_;
  pose.orientation = turned_.conjugate() * applied_.orientation;
  return pose;
}

void AxisCorrection::begin(const Vector6& start, CorrectionKind kind, double decay) {
  kind_ = kind, decay_ = decay;
  start_ = wanted_ = applied_ = before_ = start;
  offset_.setZero();
}

Six AxisCorrection::next(const Vector6& wanted, bool last_lost) {
  Six correction{};
  if (kind_ == CorrectionKind::absolute) {
    correction = degrees_from_radians(Vector6(wanted - start_));
  } else {
    if (last_lost) {
      applied_ = before_;
      offset_ = applied_ - wanted_;
    }
    offset_ *= decay_;
    correction = degrees_from_radians(Vector6(wanted + offset_ - applied_));
    for (double& value : correction) value = as_written(value);
    before_ = applied_;
    applied_ += radians_from_degrees(correction);
  }
  wanted_ = wanted;
  return correction;
}

} // namespace hilda::kuka
