#include "engine/check/simulation_only.h"

#include "engine/catalogue/simulation_only.h"
#include "engine/diagnostics/complaint.h"

#include <algorithm>

namespace hilda {

void refuse_on_hardware(const System& system, Diagnostics& diagnostics) {
  const auto device = std::find_if(system.blocks.begin(), system.blocks.end(), [](const SystemBlock& block) {
    return block.type->abi->acquire != nullptr || block.type->abi->emit != nullptr;
  });
  if (device == system.blocks.end()) return;
  for (const SystemBlock& block : system.blocks)
    if ((block.type->abi->flags & HILDA_SIMULATION_ONLY) != 0)
      diagnostics.error("python-on-hardware", block.where,
                        "the block " + in_quotes(block.path) + " is of type " + block.type->name +
                            ", which runs in Python, and this run has the device " + in_quotes(device->path) +
                            " (" + device->type->name + "): Python can delay a tick by any time",
                        "give it mode=\"sim\" and a block in C++ the mode of the devices (docs/author.md)",
                        {{device->where, "the device is here"}});
}

} // namespace hilda
