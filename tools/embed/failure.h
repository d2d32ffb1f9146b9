// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/diagnostic.h"
#include "tools/modules.h"

#include <hilda/embed.h>
#include <string>
#include <vector>

namespace hilda::embed {

/// Why a call is refused. It is thrown within the room; `answer` makes a status of it.
struct Failure {
  hilda_sim_status status = HILDA_SIM_INTERNAL;
  std::vector<Diagnostic> messages;
};

[[noreturn]] void fail(hilda_sim_status status, const char* code, std::string what, std::string help);
/// With all that was found wrong.
[[noreturn]] void fail(hilda_sim_status status, const Diagnostics& diagnostics);

/// What hilda_sim_error gives in this thread from now on.
void remember(Failure failure) noexcept;

/// A diagnostic as the API shows it: its texts live as long as `kept`.
struct KeptMessage {
  Diagnostic said;
  std::string text;
};
/// @param severity  of the API
void show(const KeptMessage& kept, int severity, hilda_sim_message& message);

} // namespace hilda::embed
