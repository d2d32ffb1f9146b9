#include "engine/check/check.h"

#include "engine/infer/infer.h"
#include "engine/infer/parameter_questions.h"

namespace hilda {

namespace {

std::optional<System> complete(std::optional<System> system, std::size_t errors_before, Diagnostics& diagnostics) {
  if (!system) return std::nullopt;
  infer(*system, diagnostics, ask_shapes);
  if (diagnostics.errors() != errors_before) return std::nullopt;
  ask_feedthrough(*system, diagnostics);
  if (diagnostics.errors() != errors_before) return std::nullopt;
  return system;
}

} // namespace

std::optional<System> check(const std::string& path, const LoadOptions& options, const Catalogue& catalogue,
                            Sources& sources, Diagnostics& diagnostics, std::vector<std::string>& remarks) {
  const std::size_t before = diagnostics.errors();
  return complete(load(path, options, catalogue, sources, diagnostics, remarks), before, diagnostics);
}

std::optional<System> check_text(const std::string& name, std::string text, const LoadOptions& options,
                                 const Catalogue& catalogue, Sources& sources, Diagnostics& diagnostics,
                                 std::vector<std::string>& remarks) {
  const std::size_t before = diagnostics.errors();
  return complete(load_text(name, std::move(text), options, catalogue, sources, diagnostics, remarks), before,
                  diagnostics);
}

} // namespace hilda
