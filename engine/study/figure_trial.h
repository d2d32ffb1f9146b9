// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/study/loaded_study.h"

namespace hilda::study {

/// Of a study that is wrong: adds to its diagnostics what only runs can tell of its figures, so that no one mends the
/// rest first. Each diagram is run a little, without what is wrong; where that is not possible nothing is reported.
/// Codes: study-unknown-figure, study-figure-unit.
void try_figures(LoadedStudy& study);

} // namespace hilda::study
