// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <cstdio>
#include <fmt/format.h>
#include <utility>

namespace hilda::cli {

/// On standard output; whether it was taken is looked at once, at the program's end.
template <class... Values> void say(fmt::format_string<Values...> form, Values&&... values) {
  std::fputs(fmt::format(form, std::forward<Values>(values)...).c_str(), stdout);
}

} // namespace hilda::cli
