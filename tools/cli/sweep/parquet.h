#pragma once

#include "engine/files/output_file.h"

#include <string>

namespace hilda::cli {

/// Through Python's pyarrow; false, and `error`, where that is not there.
bool export_parquet(const std::string& store, OutputFile& file, std::string& error);

} // namespace hilda::cli
