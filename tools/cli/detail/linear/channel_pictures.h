// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/cli/detail/linear/channel_study.h"
#include "tools/graphics/figure.h"
#include "tools/modules.h"

#include <string>
#include <vector>

namespace hilda::cli {

/// Magnitude and phase over frequency; the phase continues where it would jump by a turn. Margins, where they were
/// asked for, are marked.
plot::Figure bode_figure(const std::vector<ChannelStudy>& channels, const std::string& title);

/// The response in the plane, with -1, the unit circle, and the mirror image of negative frequencies. Of a response
/// that is larger than 10, the part beyond 4 lies outside of the picture.
plot::Figure nyquist_figure(const std::vector<ChannelStudy>& channels, const std::string& title);

plot::Figure step_figure(const std::vector<ChannelStudy>& channels, const std::string& title);

/// In the s plane; of a discrete model in the z plane with the unit circle.
plot::Figure pole_figure(const LinearModel& model, const std::vector<Pole>& poles, const std::string& title);

} // namespace hilda::cli
