// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string_view>

namespace hilda {

/// A number without a unit, in every locale, where the whole text is one: "1e-9", "inf".
std::optional<double> plain_number(std::string_view text);

} // namespace hilda
