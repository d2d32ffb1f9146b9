// SPDX-License-Identifier: BSD-3-Clause
#include "engine/plugin/block_report.h"

#include <algorithm>
#include <fmt/format.h>

namespace hilda::plugin {

namespace {
/// Of one call: no one reads more, and a block that reports in a loop that does not end makes millions.
constexpr std::uint64_t most_reports = 20;
} // namespace

BlockReport::BlockReport(Diagnostics& diagnostics, const SystemBlock& block, const char* code)
    : diagnostics_(diagnostics), block_(block), code_(code), before_(diagnostics.errors()) {}

void BlockReport::attach(hilda_instance& instance) {
  instance.engine = this;
  instance.report = [](void* engine, const char* slot, const char* text) {
    static_cast<BlockReport*>(engine)->take(slot, text);
  };
  instance.warn = [](void* engine, const char* slot, const char* text) {
    static_cast<BlockReport*>(engine)->warn(slot, text);
  };
}

Location BlockReport::where(const char* slot) const {
  if (slot != nullptr)
    for (const ParameterValue& p : block_.parameters)
      if (block_.type->slots[p.slot].name == slot && p.where.file != nullptr) return p.where;
  return block_.where;
}

std::string BlockReport::said(const char* slot, const char* text) const {
  return fmt::format("{} ({}){}{}: {}", block_.path, block_.type->name, slot != nullptr ? ", " : "",
                     slot != nullptr ? slot : "", text != nullptr ? text : "");
}

void BlockReport::take(const char* slot, const char* text) {
  if (++reports_ == 1) first_ = std::chrono::steady_clock::now();
  if (reports_ > most_reports || repeats(slot, text)) return;
  diagnostics_.error(code_, where(slot), said(slot, text),
                     fmt::format("hilda describe {} shows what the block requires", block_.type->name));
}

void BlockReport::warn(const char* slot, const char* text) {
  if (++warnings_ == 1) first_ = std::chrono::steady_clock::now();
  if (warnings_ > most_reports || repeats(slot, text)) return;
  diagnostics_.warning("block-warning", where(slot), said(slot, text),
                       fmt::format("hilda describe {} shows what the block requires", block_.type->name));
}

/// Was it reported with the same words before?
bool BlockReport::repeats(const char* slot, const char* text) {
  const std::string words = said(slot, text);
  if (words == last_) return true;
  last_ = words;
  return false;
}

/// Says how much was left out, and how fast it came.
void BlockReport::count_rest(const char* phase) {
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - first_).count();
  const auto text = [&](std::uint64_t all, const char* what) {
    return said(nullptr, fmt::format("{} makes {} {} in {:.2g} s, {:.2g} a second; the {} after the first {} are left "
                                     "out, and so are those that repeat the one before",
                                     phase, all, what, took, static_cast<double>(all) / std::max(took, 1e-6),
                                     all - most_reports, most_reports)
                             .c_str());
  };
  const char* const help = "let the block say once what is wrong, and how often";
  if (reports_ > most_reports) diagnostics_.error(code_, block_.where, text(reports_, "reports"), help);
  if (warnings_ > most_reports) diagnostics_.warning("block-warning", block_.where, text(warnings_, "warnings"), help);
}

void BlockReport::threw(const char* phase, const char* what) {
  failed(fmt::format("an exception leaves {}: {}", phase, what));
}

void BlockReport::failed(const std::string& did) {
  diagnostics_.error("block-throws", block_.where, fmt::format("{} ({}): {}", block_.path, block_.type->name, did),
                     fmt::format("no exception may cross the boundary: hilda test-plugin {} shows where, and report() "
                                 "says what is wrong with a setting",
                                 block_.type->plugin));
}

void BlockReport::changed_mode(const char* phase) {
  diagnostics_.error("block-floating-point", block_.where,
                     fmt::format("{} ({}): {} changes the processor's floating-point mode (rounding or flush-to-zero), "
                                 "which every other block would compute with",
                                 block_.path, block_.type->name, phase),
                     "let the block put the mode back before it returns (fegetenv, fesetenv)");
}

bool BlockReport::settle(bool refused, const char* otherwise) {
  if (refused && diagnostics_.errors() == before_) take(nullptr, otherwise);
  return diagnostics_.errors() == before_;
}

} // namespace hilda::plugin
