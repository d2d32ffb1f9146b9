#pragma once

#include "tools/plot/figure.h"
#include "tools/study/study_map.h"

namespace hilda::study {

/// A figure over one axis: a line with a dot at each mean, and a bar from the least to the greatest of the runs there.
plot::Figure lines_figure(const StudyMap& map, const MapStyle& style);

} // namespace hilda::study
