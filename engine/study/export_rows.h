// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/output_file.h"
#include "engine/modules.h"
#include "engine/study/store.h"

#include <string>

namespace hilda::study {

// The rows of a store in the order of their numbers: settings, figures and endings, but nothing of when and where they
// were made, so that equal studies give equal files. False, and `error`, where a file cannot be written; it is not
// committed.

/// The first line names the columns, with units: "response_delay [s]". A value that is not a number is empty.
bool export_csv(Store& store, OutputFile& file, std::string& error);

/// A variable each column, and `names` and `units` with the texts of them.
bool export_mat(Store& store, OutputFile& file, std::string& error);

} // namespace hilda::study
