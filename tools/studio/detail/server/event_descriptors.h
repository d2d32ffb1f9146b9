// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <vector>

namespace hilda::studio {

/// Descriptors of this process by which a program waits for events (epoll, eventfd, timerfd), which asio does not name.
std::vector<int> event_descriptors();

} // namespace hilda::studio
