// SPDX-License-Identifier: BSD-3-Clause
// Bytes that claim to be an overlay or the text behind `--set`: settings with a path each, or diagnostics.
#include "engine/diagram/overlay.h"
#include "tests/modules.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {
using namespace hilda;

void judge(const std::vector<Attribute>& settings, const Diagnostics& diagnostics) {
  for (const Attribute& one : settings)
    if (diagnostics.ok() && one.name.empty()) std::abort();
  if (!diagnostics.all().empty() && diagnostics.text().empty()) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  {
    Sources sources;
    Diagnostics diagnostics;
    Suggestions suggestions;
    RecordedFiles files;
    files.add("cell.xml", text);
    const OverlaySettings read = read_overlay("cell.xml", sources, diagnostics, suggestions, &files);
    judge(read.before, diagnostics);
    for (const PlayedSetting& each : read.late.played)
      if (each.path.text.empty() || each.file.text.empty() || each.signal.empty()) std::abort();
  }
  {
    Sources sources;
    Diagnostics diagnostics;
    judge(read_settings({text}, sources, diagnostics), diagnostics);
  }
  return 0;
}
