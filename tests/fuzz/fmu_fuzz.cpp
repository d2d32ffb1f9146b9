// SPDX-License-Identifier: BSD-3-Clause
// Bytes that claim to be the modelDescription.xml of an FMU, or an FMU: a diagram that hilda reads, or a reason.
#include "tests/modules.h"
#include "tools/fmi/foreign_model.h"
#include "tools/fmi/foreign_subsystem.h"
#include "tools/fmi/unpacked.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace {
using namespace hilda;

void judge(const std::optional<fmi::ForeignModel>& model, const fmi::Fault& read) {
  if (!model) {
    if (read.what.empty() || read.help.empty()) std::abort();
    return;
  }
  fmi::Fault fault;
  const std::optional<fmi::Subsystem> made = fmi::subsystem_of(*model, {"x.fmu", "x", {}}, fault);
  if (made ? made->text.empty() || made->summary.empty() : fault.what.empty()) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  fmi::Fault fault;
  judge(fmi::read_foreign_model(bytes, fault), fault);
  fmi::Fault of_zip;
  const std::optional<fmi::Zip> zip = fmi::Zip::of(bytes, of_zip);
  if (!zip) {
    if (of_zip.what.empty()) std::abort();
    return 0;
  }
  for (const fmi::Zip::Entry& each : zip->entries()) {
    fmi::Fault of_entry;
    constexpr std::uint64_t small = 1 << 20;
    if (each.size < small && !zip->read(each, of_entry) && of_entry.what.empty()) std::abort();
  }
  return 0;
}
