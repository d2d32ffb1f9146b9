// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/shell.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

namespace hilda::test {

/// The program chromium; empty: it is not installed.
std::string browser();

/// Installs playwright-core next to the test program, once for all tests; an empty text, or why it cannot.
std::string install_driver();

/// What the browser finds by a script of this folder; pictures of each state are left in the folder `name` of the
/// artefacts.
nlohmann::json looked_at(const std::filesystem::path& page, const std::string& name,
                         const std::string& script = "look_at_page.mjs");

/// Where pictures of pages are left.
std::filesystem::path page_pictures();

} // namespace hilda::test
