// SPDX-License-Identifier: BSD-3-Clause
#include "python/interpreter/installation.h"

#include "engine/session/program_abilities.h"
#include "python/interpreter/errors.h"

#include <algorithm>
#include <dlfcn.h>

namespace hilda::python {

Installation& installation() {
  static Installation found = [] {
    Dl_info module{};
    const bool known = dladdr(reinterpret_cast<const void*>(&installation), &module) != 0;
    return Installation(known ? module.dli_fname : "", program_abilities());
  }();
  return found;
}

std::vector<const BlockType*> types_of(const pybind11::list& classes) {
  if (classes.empty()) return {};
  Diagnostics diagnostics;
  std::vector<const BlockType*> types = installation().host().scripts().take(classes.ptr(), diagnostics);
  if (!diagnostics.ok()) raise_diagram_error(diagnostics);
  return types;
}

Diagnostics load_plugins(const std::vector<std::string>& folders) {
  Diagnostics diagnostics;
  installation().load_plugins(folders, diagnostics);
  std::vector<Diagnostic> taken;
  for (Diagnostic& each : diagnostics.sorted()) {
    if (each.code == "plugin-changed" && PyErr_WarnEx(PyExc_UserWarning, each.text().c_str(), 1) != 0)
      throw pybind11::error_already_set();
    const std::filesystem::path file = each.file;
    const auto lies_in = [&file](const std::string& folder) {
      return std::filesystem::path(folder) / file.filename() == file;
    };
    if (each.code != "plugin-name-taken" || std::none_of(folders.begin(), folders.end(), lies_in)) continue;
    each.help += "; a process keeps what it has loaded, and isolate=True gives a simulation its own process";
    taken.push_back(std::move(each));
  }
  if (!taken.empty()) raise_diagram_error(taken);
  return diagnostics;
}

} // namespace hilda::python
