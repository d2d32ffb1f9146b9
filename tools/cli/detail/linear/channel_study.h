// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/analysis/margins.h"
#include "engine/analysis/sampled_response.h"
#include "engine/analysis/step_response.h"
#include "tools/modules.h"

#include <numbers>
#include <optional>
#include <string>
#include <vector>

namespace hilda::cli {

/// In a radian.
inline constexpr double degrees = 180 / std::numbers::pi;

/// The analyses requested of each channel.
struct StudyWishes {
  bool response = false, margins = false, step = false;
  double lowest = 0, highest = 0; ///< rad/s; 0: where something happens
  double until = 0;               ///< s, of the step response; 0: until it is over
  bool signal_holds = true;       ///< see Linearization: else margins are those of `by_ticks`
  const LinearModel* by_ticks = nullptr;
  const LinearModel* closed = nullptr; ///< of a loop: as it runs
  std::string no_way = {};             ///< why nothing of what is sent comes back; the study then is not an answer
};

/// What was found of one.
struct ChannelStudy {
  LinearModel channel;
  std::string name; ///< "torque.y to joint.angle"; "the loop at torque.y"
  SampledResponse sampled;
  ResponseFigures figures; ///< where `response` was wished for
  std::optional<Margins> margins;
  bool one_response = true; ///< false: margins are not those of `sampled`, and have no phase nor distance
  std::optional<StepResponse> step;
  std::string no_way; ///< see StudyWishes; or why the response is zero
};

/// Of every input to every output, in the order of the CSV's columns. `opened`: the model is a loop opened at a signal.
std::vector<ChannelStudy> study_channels(const LinearModel& model, const StudyWishes& wishes, bool opened);

/// "'pid.command' at upper = 5" in the title of a picture that is not an answer; else empty.
std::string reservation(const std::vector<ChannelStudy>& channels);

/// What was found, for people.
void print_study(const ChannelStudy& study);

} // namespace hilda::cli
