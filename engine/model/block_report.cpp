#include "engine/model/block_report.h"

#include <fmt/format.h>

namespace hilda {

BlockReport::BlockReport(Diagnostics& diagnostics, const SystemBlock& block, const char* code)
    : diagnostics_(diagnostics), block_(block), code_(code), before_(diagnostics.errors()) {}

void BlockReport::attach(hilda_instance& instance) {
  instance.engine = this;
  instance.report = [](void* engine, const char* slot, const char* text) {
    static_cast<BlockReport*>(engine)->take(slot, text);
  };
}

void BlockReport::take(const char* slot, const char* text) {
  Location where = block_.where;
  if (slot != nullptr)
    for (const ParameterValue& p : block_.parameters)
      if (block_.type->slots[static_cast<std::size_t>(p.slot)].name == slot && p.where.file != nullptr) where = p.where;
  diagnostics_.error(code_, where,
                     fmt::format("{} ({}){}{}: {}", block_.path, block_.type->name, slot != nullptr ? ", " : "",
                                 slot != nullptr ? slot : "", text),
                     fmt::format("hilda describe {} shows what the block wants", block_.type->name));
}

bool BlockReport::settle(bool refused, const char* otherwise) {
  if (refused && diagnostics_.errors() == before_) take(nullptr, otherwise);
  return diagnostics_.errors() == before_;
}

} // namespace hilda
