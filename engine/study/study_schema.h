// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <string>

namespace hilda::study {

/// The format of studies as RELAX NG (ISO/IEC 19757-2, XML syntax): elements and attributes. That names and values fit
/// the diagrams is for `hilda sweep check` to say.
std::string study_relax_ng();

} // namespace hilda::study
