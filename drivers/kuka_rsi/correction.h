#pragma once

#include "drivers/kuka_rsi/kuka_frame.h"

#include <string>

namespace hilda::kuka {

enum class CorrectionKind { absolute, relative };
enum class Space { cartesian, axis };

/// Where the six corrections of a space lie in the file's RECEIVE: RKorr.X to .C, or AKorr.A1 (AK.A1) to .A6.
struct CorrectionChannels {
  std::array<int, 6> at{-1, -1, -1, -1, -1, -1};
  bool complete() const {
    for (const int i : at)
      if (i < 0) return false;
    return true;
  }
};
CorrectionChannels find_corrections(const EthernetFile& file, Space space);

/// What speaks against correcting a robot in this way with this file; empty: nothing. HOLDON decides over safety: see
/// docs/kuka_rsi.md.
std::vector<std::string> refusals(const EthernetFile& file, Space space, CorrectionKind kind);

/// From poses that are asked for to the corrections that bring the robot there, and back: what keeps it where it is.
///
/// Absolute corrections count from the pose at RSI_ON. Relative ones are increments to the last that the robot took;
/// one that was lost is made up for by a motion that decays with `decay` a cycle, so that it is no step.
class CartesianCorrection {
public:
  void begin(const Pose& start, CorrectionKind kind, CorrectionFrame frame, double decay);
  /// mm and deg. `last_lost`: the robot did not take the correction before.
  Six next(const Pose& wanted, bool last_lost);
  /// The pose for which `next` moves nothing.
  Pose rest() const;

private:
  Six increment(const Pose& wanted, bool last_lost);

  CorrectionKind kind_ = CorrectionKind::absolute;
  CorrectionFrame frame_ = CorrectionFrame::base;
  double decay_ = 1;
  Pose start_, wanted_, applied_, before_;
  Vector3 offset_ = Vector3::Zero();
  Quaternion turned_ = Quaternion::Identity();
};

/// The same for six joints, rad.
class AxisCorrection {
public:
  void begin(const Vector6& start, CorrectionKind kind, double decay);
  Six next(const Vector6& wanted, bool last_lost);
  Vector6 rest() const { return kind_ == CorrectionKind::absolute ? wanted_ : Vector6(applied_ - offset_); }

private:
  CorrectionKind kind_ = CorrectionKind::absolute;
  double decay_ = 1;
  Vector6 start_ = Vector6::Zero(), wanted_ = Vector6::Zero(), applied_ = Vector6::Zero(), before_ = Vector6::Zero(),
          offset_ = Vector6::Zero();
};

} // namespace hilda::kuka
