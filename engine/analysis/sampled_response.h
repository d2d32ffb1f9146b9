// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/analysis/detail/response/root.h"
#include "engine/analysis/detail/state_space/linear_model.h"
#include "engine/modules.h"

#include <complex>
#include <functional>
#include <vector>

namespace hilda::analysis {

/// Frequencies, rad/s.
struct Band {
  double lowest = 0, highest = 0;
};

/// Where something happens: from a hundredth of the slowest pole to a hundred times the fastest, of a discrete model to
/// pi/period, and a decade beyond each place where |y per u| is 1 or the response is real and below 0. Poles at s = 0
/// and those of delay lines say nothing; where there are no others, those that it has closed with -1 count.
Band band_of(const LinearModel& channel);

/// A channel's response at rising frequencies, close enough that none between two of them differs much from both:
/// by 7.5 degrees, or a tenth in size. A resonance that is narrower than the first net is found by its pole, and a
/// crossing by the root that it is, see landmarks.
struct SampledResponse {
  std::vector<double> frequencies; ///< rad/s
  std::vector<std::complex<double>> values;
  /// False: there are more turns than frequencies, as of a very long delay. What the response does next to the delay is
  /// then still sampled as closely.
  bool complete = true;
};
/// @param also  frequencies that are to be among them
SampledResponse sample_response(const LinearModel& channel, const Band& band, const std::vector<double>& also = {});

/// Ticks after which the output of a discrete channel first answers; 0 of a continuous one.
int dead_ticks(const LinearModel& channel);

/// Where, over all of its frequencies, what a function makes of the response is least, and what it is there.
Valley lowest_of(const LinearModel& channel, const SampledResponse& sampled,
                 const std::function<double(std::complex<double>)>& of);

/// y per u at one frequency.
std::complex<double> response_at(const LinearModel& channel, double frequency);

/// y per u at rest; infinite where the channel integrates.
double steady_gain(const LinearModel& channel);

/// What a response shows.
struct ResponseFigures {
  double peak = 0, peak_frequency = 0; ///< the largest of |y per u|, and where; 0 rad/s: it falls from the lowest on
                                       ///< infinite at a pole without damping
  double steady = 0;                   ///< y per u at rest; infinite with an integrator
  double bandwidth = 0;                ///< rad/s: where it first falls 3 dB below `steady`; 0: it does not, or has none
};
ResponseFigures response_figures(const LinearModel& channel, const SampledResponse& sampled);

} // namespace hilda::analysis
