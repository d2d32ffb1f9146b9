// SPDX-License-Identifier: BSD-3-Clause
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

/// From poses that are asked for to the corrections that bring the robot there, and what the robot has by now.
///
/// Absolute corrections count from the pose at RSI_ON, relative ones are increments to what the robot has: nothing is
/// added to what passed the limits.
class CartesianCorrection {
public:
  void begin(const Pose& start, CorrectionKind kind, CorrectionFrame frame);
  /// mm and deg, as it is written. From then on it counts as taken.
  Six next(const Pose& wanted);
  /// The last one was not taken.
  void undo() { taken_ = before_, wanted_ = taken_; }
  /// mm and deg: for which the robot stays at what it has.
  Six hold() const;
  /// The pose that the robot has.
  const Pose& taken() const { return taken_; }
  /// The pose for which `next` moves nothing.
  Pose rest() const { return kind_ == CorrectionKind::absolute ? wanted_ : taken_; }

private:
  CorrectionKind kind_ = CorrectionKind::absolute;
  CorrectionFrame frame_ = CorrectionFrame::base;
  Pose start_, wanted_, taken_, before_;
};

/// The same for six joints, rad.
class AxisCorrection {
public:
  void begin(const Vector6& start, CorrectionKind kind);
  Six next(const Vector6& wanted);
  void undo() { taken_ = before_, wanted_ = taken_; }
  Six hold() const;
  const Vector6& taken() const { return taken_; }
  Vector6 rest() const { return kind_ == CorrectionKind::absolute ? wanted_ : taken_; }

private:
  CorrectionKind kind_ = CorrectionKind::absolute;
  Vector6 start_ = Vector6::Zero(), wanted_ = Vector6::Zero(), taken_ = Vector6::Zero(), before_ = Vector6::Zero();
};

} // namespace hilda::kuka
