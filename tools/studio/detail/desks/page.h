// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <string>

namespace hilda::studio {

/// A file of the page that is built into this program: index.html, studio.js, studio.css, icon.svg, licences.txt,
/// lacking.html, lacking.txt. Empty: there is none of that name, or npm was lacking when hilda was built.
std::string page_asset(const std::string& name);

/// Why this program has no page: what was lacking when it was built (cmake/bundle_page.cmake). Empty: it has one.
std::string page_lacks();

/// What the server gives at "/": the page, or one that says what was lacking.
std::string page_html();

} // namespace hilda::studio
