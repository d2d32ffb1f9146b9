// SPDX-License-Identifier: BSD-3-Clause
// Bytes that claim to be a diagram: whatever they are, they give diagnostics or a system, never a crash or a hang.
//
// Build with -DHILDA_FUZZERS=ON by clang++; run build/fuzz/diagram_fuzz with a corpus such as tests/errors/cases.
#include "engine/compile/loaded_diagram.h"
#include "tests/modules.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>

namespace {
using namespace hilda;

hilda_slot slot(hilda_role role, const char* name, const char* shape, std::uint32_t flags,
                const char* initial = nullptr) {
  hilda_slot made{};
  made.size = sizeof made;
  made.role = role;
  made.element = HILDA_F64;
  made.flags = flags;
  made.name = name;
  made.shape = shape;
  made.unit = "@u";
  made.initial = initial;
  made.minimum = -std::numeric_limits<double>::infinity();
  made.maximum = std::numeric_limits<double>::infinity();
  return made;
}

void add(Catalogue& catalogue, const char* name, std::array<hilda_slot, 3> slots) {
  std::uint64_t offset = 0;
  for (hilda_slot& one : slots) one.offset = offset, offset += 64;
  hilda_block_type type{};
  type.size = sizeof type;
  type.name = name;
  type.doc = "A block of the fuzzer.";
  type.record_size = offset;
  type.record_align = 8;
  type.slots = slots.data();
  type.slot_count = slots.size();
  type.slot_stride = sizeof(hilda_slot);
  type.output = [](void*, const hilda_tick*) {};
  std::vector<std::string> problems;
  auto made = describe(type, "math", "fuzz", problems);
  if (made == nullptr || !catalogue.add(std::move(made))) std::abort();
}

/// math/Gain and math/Sum, enough for parts, items and units.
const Catalogue& known_types() {
  static const Catalogue made = [] {
    Catalogue fresh;
    add(fresh, "Gain",
        {slot(HILDA_INPUT, "u", "*s", HILDA_BOUND | HILDA_OPTIONAL), slot(HILDA_OUTPUT, "y", "*s", HILDA_BOUND),
         slot(HILDA_PARAMETER, "gain", "", 0, "1")});
    add(fresh, "Sum",
        {slot(HILDA_INPUT, "u", "n", HILDA_BOUND | HILDA_REPEATED), slot(HILDA_OUTPUT, "y", "n", HILDA_BOUND),
         slot(HILDA_PARAMETER, "bias", "", 0, "0")});
    return fresh;
  }();
  return made;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  LoadOptions options;
  options.most_elements = 20'000;
  const LoadedDiagram diagram(known_types(),
                              DiagramText{"fuzz.xml", std::string(reinterpret_cast<const char*>(data), size)}, options);
  // No system without a reason, and no report that cannot be written.
  if (!diagram.has_system() && diagram.diagnostics().ok()) std::abort();
  if (!diagram.diagnostics().all().empty() && diagram.diagnostics().text().empty()) std::abort();
  return 0;
}
