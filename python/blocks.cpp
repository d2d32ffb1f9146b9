// SPDX-License-Identifier: BSD-3-Clause
#include "python/blocks.h"

#include "python/interpreter/errors.h"
#include "python/interpreter/installation.h"
#include "python/interpreter/made.h"
#include "tools/cli/block_text.h"

#include <algorithm>
#include <filesystem>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace hilda::python {
namespace {

namespace py = pybind11;
using Path = std::filesystem::path;

/// A port, parameter or state, as `hilda describe` shows it.
struct SlotFacts {
  using BoundToPython = void;

  cli::SlotText text;
  std::string doc;
};

/// A block's type; the text is made when it is asked for. Types live as long as the process.
struct BlockInterface {
  using BoundToPython = void;

  const BlockType* type = nullptr;

  std::vector<SlotFacts> slots(hilda_role role) const {
    std::vector<SlotFacts> found;
    for (const Slot& slot : type->slots)
      if (slot.role == role) found.push_back({cli::slot_text(*type, slot), slot.doc});
    return found;
  }
};

const Catalogue& catalogue_with(const std::vector<Path>& plugins) {
  Diagnostics diagnostics = load_plugins(std::vector<std::string>(plugins.begin(), plugins.end()));
  installation().host().list_scripts("", diagnostics);
  if (!diagnostics.ok() && !plugins.empty()) raise_diagram_error(diagnostics);
  return installation().host().catalogue();
}

BlockInterface describe(const std::string& name, const std::vector<Path>& plugins) {
  return {block_named(name, plugins)};
}

} // namespace

const BlockType* block_named(const std::string& name, const std::vector<Path>& plugins) {
  std::string problem;
  const BlockType* type = cli::find_block(catalogue_with(plugins), name, problem);
  if (type == nullptr) raise_unknown(problem);
  return type;
}

void bind_blocks(py::module_& module) {
  py::class_<SlotFacts>(module, "Slot", "A port, parameter or state of a block.")
      .def_property_readonly("name", [](const SlotFacts& s) { return s.text.name; })
      .def_property_readonly("shape", [](const SlotFacts& s) { return s.text.shape; })
      .def_property_readonly("unit", [](const SlotFacts& s) { return s.text.unit; })
      .def_property_readonly("traits", [](const SlotFacts& s) { return s.text.traits; })
      .def_property_readonly("doc", [](const SlotFacts& s) { return s.doc; })
      .def("__repr__", [](const SlotFacts& s) { return "<hilda.Slot " + s.text.name + ": " + s.text.shape + ">"; });
  py::class_<BlockInterface>(module, "BlockType", "What one needs to wire a block; print() shows all of it.")
      .def_property_readonly("name", [](const BlockInterface& b) { return b.type->name; })
      .def_property_readonly("doc", [](const BlockInterface& b) { return b.type->doc; })
      .def_property_readonly("plugin", [](const BlockInterface& b) { return b.type->plugin; })
      .def_property_readonly("inputs", [](const BlockInterface& b) { return b.slots(HILDA_INPUT); })
      .def_property_readonly("outputs", [](const BlockInterface& b) { return b.slots(HILDA_OUTPUT); })
      .def_property_readonly("parameters", [](const BlockInterface& b) { return b.slots(HILDA_PARAMETER); })
      .def_property_readonly("states", [](const BlockInterface& b) { return b.slots(HILDA_STATE); })
      .def("__str__", [](const BlockInterface& b) { return cli::block_text(*b.type); })
      .def("__repr__", [](const BlockInterface& b) { return "<hilda.BlockType " + b.type->name + ">"; });
  module.def("describe", &describe, py::arg("block"), py::kw_only(), py::arg("plugins") = std::vector<Path>(),
             "Ports, parameters and states of a block, by its name with or without its subject.");
  module.def(
      "blocks",
      [](const std::vector<Path>& plugins) {
        std::vector<std::string> names = catalogue_with(plugins).names();
        std::sort(names.begin(), names.end());
        return names;
      },
      py::kw_only(), py::arg("plugins") = std::vector<Path>(), "Names of all blocks.");
}

} // namespace hilda::python
