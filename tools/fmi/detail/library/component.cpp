// SPDX-License-Identifier: BSD-3-Clause
#include "tools/fmi/detail/library/component.h"

#include "tools/fmi/package.h"

namespace hilda::fmi {

int Component::open(const char* function, const char* name, const char* resources, const char* token,
                    bool warn) noexcept {
  return guarded(function, [&] {
    const auto text = [](const char* t) { return std::string(t != nullptr ? t : ""); };
    if (name == nullptr || *name == '\0') throw refusal("fmi-name", "the instance has no name", "give it a name");
    instance = open_instance(text(resources), text(token));
    if (const std::string warnings = instance->warnings(); warn && !warnings.empty())
      log(warning, "logStatusWarning", fmt::format("{}: {}", function, warnings));
    return ok;
  });
}

int Component::with_changes(const char* function, int status) {
  const std::string changes = instance->process_changes();
  if (changes.empty()) return status;
  log(warning, "logStatusWarning", fmt::format("{}: {}", function, changes));
  return status == ok ? warning : status;
}

Refused not_offered() {
  return refusal("fmi-not-offered", "this FMU offers co-simulation without events, and not this function",
                 "look at modelDescription.xml for what it offers");
}

} // namespace hilda::fmi
