// SPDX-License-Identifier: BSD-3-Clause
// Bytes that claim to be a Net F/T's answer over HTTP, and the page in it: they give a configuration that makes sense,
// or a sentence that can be printed.
// Corpus: tests/fuzz/corpus/netft_config_fuzz.
#include "drivers/ati_netft/http.h"
#include "drivers/ati_netft/netft_config.h"

#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace {
using namespace hilda::netft;

void check(bool promise) {
  if (!promise) std::abort();
}

void one_page(const std::string& page) {
  std::string problem;
  const std::optional<Config> config = parse_config(page, problem);
  check(config.has_value() == problem.empty());
  check(problem.size() < 300);
  for (const char c : problem) check(c >= ' ' && c <= '~');
  if (!config) return;
  check(config->counts_per_force > 0 && std::isfinite(config->counts_per_force));
  check(config->counts_per_torque > 0 && std::isfinite(config->counts_per_torque));
  check(config->newtons > 0 && config->newton_metres > 0);
  const std::optional<Config> again = parse_config(config_page(*config), problem);
  check(again && again->counts_per_force == config->counts_per_force && again->newtons == config->newtons);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  one_page(text);
  const Page page = parse_answer(text);
  check(page.problem.empty() || page.body.empty());
  if (page.problem.empty()) one_page(page.body);
  return 0;
}
