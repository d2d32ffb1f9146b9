// SPDX-License-Identifier: BSD-3-Clause
#include "tests/emulation/linear_trial.h"

#include "engine/compile/loaded_diagram.h"
#include "tests/modules.h"
#include "tests/project_folders.h"
#include "tests/standard_plugins.h"

namespace hilda::test {

LinearTrial linearize_diagram(const std::string& diagram, const std::vector<std::string>& settings,
                              const LinearizeOptions& options) {
  LinearTrial trial;
  LoadOptions load;
  load.mode = "sim";
  load.settings = settings;
  LoadedDiagram loaded(all_plugins().catalogue());
  if (diagram.front() == '<')
    loaded.load(DiagramText{"trial.xml", diagram}, load);
  else
    loaded.load(source_folder() + "/diagrams/" + diagram + ".xml", load);
  if (loaded.ok()) trial.result = linearize(loaded.take_system(), options, loaded.diagnostics());
  trial.errors = loaded.diagnostics().text();
  return trial;
}

} // namespace hilda::test
