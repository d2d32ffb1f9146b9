// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <string>
#include <string_view>
#include <vector>

namespace hilda::graphics::svg {

/// SHA-256 (FIPS 180-4), 32 bytes.
std::string sha256(std::string_view text);
/// As in RFC 4648, with padding.
std::string base64(std::string_view bytes);

/// The `<meta>` that a page of ours begins with: its own scripts run and no other, whatever a diagram or a log has put
/// between its lines; nothing is loaded from anywhere and nothing is sent. Styles are free, for pictures carry their
/// own.
/// @param scripts  what is between the page's `<script>` and `</script>`, byte for byte
std::string content_policy(const std::vector<std::string_view>& scripts);

} // namespace hilda::graphics::svg
