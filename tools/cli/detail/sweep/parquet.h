// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/output_file.h"
#include "tools/modules.h"

#include <string>

namespace hilda::cli {

/// Through Python's pyarrow; false, and `error`, where that is not there.
bool export_parquet(const std::string& store, OutputFile& file, std::string& error);

} // namespace hilda::cli
