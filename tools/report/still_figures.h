#pragma once

#include "tools/report/page_figures.h"
#include "tools/report/page_signal.h"

#include <string>
#include <vector>

namespace hilda::report {

/// What of a log a still figure shows: more than it has pixels, without a lost peak.
constexpr SignalLimits still_limits{20'000, 4'000'000, false};

/// The figures as pictures of a page, for one whose plots cannot be zoomed. Of several runs each has a colour.
/// @param runs     names of the runs
/// @param signals  by run, as they are
std::string still_figures(const std::vector<PageFigure>& figures, const std::vector<std::string>& runs,
                          const std::vector<PageSignals>& signals);

} // namespace hilda::report
