#pragma once

#include "engine/model/diagnostic.h"
#include "engine/model/system.h"

#include <string>

namespace hilda {

/// Takes what a block says about itself outside of the loop, and makes diagnostics of it that name file and line: of
/// the parameter at fault where it was given, else of the block.
class BlockReport {
public:
  BlockReport(Diagnostics& diagnostics, const SystemBlock& block, const char* code);
  BlockReport(const BlockReport&) = delete;
  BlockReport& operator=(const BlockReport&) = delete;

  /// Sets report and engine of an instance; this object must live as long as it is used.
  void attach(hilda_instance& instance);
  /// True where the block neither reported nor refused. A refusal without a word is reported as `otherwise`.
  bool settle(bool refused, const char* otherwise);

private:
  void take(const char* slot, const char* text);

  Diagnostics& diagnostics_;
  const SystemBlock& block_;
  const char* code_;
  std::size_t before_;
};

} // namespace hilda
