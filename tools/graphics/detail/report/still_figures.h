// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/graphics/detail/report/page_signal.h"
#include "tools/graphics/page_figures.h"
#include "tools/modules.h"

#include <string>
#include <vector>

namespace hilda::graphics::report {

/// The figures as pictures of a page, for one whose plots cannot be zoomed. Of several runs each has a colour.
/// @param runs     names of the runs
/// @param signals  by run, read as they are and not encoded
std::string still_figures(const std::vector<PageFigure>& figures, const std::vector<std::string>& runs,
                          const std::vector<PageSignals>& signals);

} // namespace hilda::graphics::report
