#include "tests/emulation/linear_trial.h"

#include "engine/check/check.h"
#include "engine/host/library.h"

namespace hilda::test {

LinearTrial linearize_diagram(const std::string& diagram, const std::vector<std::string>& settings,
                              const LinearizeOptions& options) {
  LinearTrial trial;
  Diagnostics diagnostics;
  static Host host;
  static const bool loaded = [&] {
    host.load_folder(HILDA_BINARY_DIR "/lib/hilda/plugins", diagnostics);
    return true;
  }();
  static_cast<void>(loaded);
  Sources sources;
  LoadOptions load;
  load.mode = "sim";
  load.sets = read_settings(settings, sources, diagnostics);
  std::vector<std::string> remarks;
  std::optional<System> system =
      diagram.front() == '<' ? check_text("trial.xml", diagram, load, host.catalogue(), sources, diagnostics, remarks)
                             : check(HILDA_SOURCE_DIR "/diagrams/" + diagram + ".xml", load, host.catalogue(), sources,
                                     diagnostics, remarks);
  if (system && diagnostics.ok()) trial.result = linearize(std::move(*system), options, diagnostics);
  trial.errors = diagnostics.text();
  return trial;
}

} // namespace hilda::test
