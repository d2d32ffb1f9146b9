// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/detail/safety/motion_rules.h"

namespace hilda::run {

/// [loop] The next sample to send after some were lost: the offset between the two motions, as it was at their last
/// samples, is carried to what is asked now and decays with a time constant of 0.1 s, as far as speed and
/// acceleration allow. A twist goes to what is asked as fast as it may.
/// @param sent   the samples that were sent
/// @param asked  the samples that were asked for, up to the one before `next`
/// @param value  written: the sample to send, not yet compared with the range
/// @return whether it is as good as `next` itself
bool approach(const MotionRules& rules, const MotionTrack& sent, const MotionTrack& asked, const double* next,
              double* value) noexcept;

} // namespace hilda::run
