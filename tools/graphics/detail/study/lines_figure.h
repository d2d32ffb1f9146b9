// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/graphics/figure.h"
#include "tools/graphics/study_map.h"
#include "tools/modules.h"

namespace hilda::graphics {

/// A figure over one axis: a line with a dot at each mean, and a bar from the least to the greatest of the runs there.
plot::Figure lines_figure(const StudyMap& map, const MapStyle& style);

} // namespace hilda::graphics
