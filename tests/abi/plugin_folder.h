// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/plugin/library.h"
#include "tests/folder.h"
#include "tests/modules.h"

#include <string>

namespace hilda::test {

/// Path of one of this folder's test plugins.
std::string plugin(const std::string& name);

/// What the host says about a file that it refuses, with the folder's path as PLUGINS; empty where it is taken.
std::string refusal(const std::string& file);

/// Does `text` equal the golden file of this name? Where HILDA_UPDATE_GOLDEN is set, the file is written.
void expect_golden(const std::string& name, const std::string& text);

/// `text` with every `from` as `to`.
std::string replaced(std::string text, const std::string& from, const std::string& to);

} // namespace hilda::test
