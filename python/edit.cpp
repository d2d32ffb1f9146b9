// SPDX-License-Identifier: BSD-3-Clause
#include "python/edit.h"

#include "engine/authoring/diagram_editor.h"
#include "engine/authoring/unified_diff.h"
#include "engine/diagram/document.h"
#include "engine/diagram/element_kinds.h"
#include "python/interpreter/errors.h"
#include "python/interpreter/installation.h"
#include "python/interpreter/made.h"
#include "python/interpreter/values.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace hilda::python {
namespace {

namespace py = pybind11;
using Path = std::filesystem::path;

/// A diagram file while a program edits it, or one that comes about.
class EditedDiagram {
public:
  using BoundToPython = void;

  EditedDiagram(std::string name, std::string absolute, std::string text, std::optional<std::string> on_disk)
      : editor_(std::move(name), std::move(absolute), text), first_(std::move(text)), on_disk_(std::move(on_disk)) {}

  /// One step; what it did next to what it was asked for.
  std::vector<std::string> apply(const std::vector<Words>& operations) {
    Diagnostics diagnostics;
    if (!editor_.apply(operations, diagnostics)) raise_diagram_error(diagnostics);
    return editor_.remarks();
  }

  /// From its first writing on a new diagram is that file.
  void write(const std::optional<Path>& path) {
    const std::string target = path ? path->string() : editor_.name();
    const std::string absolute = std::filesystem::weakly_canonical(std::filesystem::absolute(target)).string();
    if (!on_disk_) editor_.lies_in(target, absolute);
    const bool own = absolute == editor_.absolute();
    std::string why;
    if (!save_edited(editor_, target, own ? on_disk_ : std::nullopt, why)) raise_error(why);
    if (own) on_disk_ = editor_.text();
  }

  std::string diff() const { return unified_diff(first_, editor_.text(), editor_.name(), editor_.name()); }

  DiagramEditor& editor() { return editor_; }

private:
  DiagramEditor editor_;
  std::string first_;
  std::optional<std::string> on_disk_;
};

std::unique_ptr<EditedDiagram> open_diagram(const Path& path) {
  Sources sources;
  Diagnostics diagnostics;
  const std::string absolute = std::filesystem::weakly_canonical(std::filesystem::absolute(path)).string();
  const Sources::File* file = read_source(absolute, path.string(), XmlLimits::file_bytes, {}, sources, diagnostics);
  if (file == nullptr || !scan_spans(*file, diagnostics)) raise_diagram_error(diagnostics);
  return std::make_unique<EditedDiagram>(file->name, file->absolute, file->text, file->text);
}

std::unique_ptr<EditedDiagram> new_diagram(const std::string& name, const std::string& period, const std::string& doc) {
  const std::string file = name + ".xml";
  auto made = std::make_unique<EditedDiagram>(file, std::filesystem::absolute(file).string(),
                                              "<diagram format=\"1\">\n</diagram>\n", std::nullopt);
  std::vector<Words> first{{"set", "name=" + name}};
  if (!period.empty()) first.push_back({"set", "period=" + period});
  if (!doc.empty()) first.push_back({"set", "doc=" + doc});
  made->apply(first);
  return made;
}

/// A type that a plugin of the same prefix lacks is a slip; one of another plugin may be loaded later.
void look_for_type(const std::string& type) {
  const std::size_t slash = type.find('/');
  if (slash == std::string::npos) return;
  if (installation().host().scripts().takes(type)) return; // Simulation takes its class
  load_plugins({});
  const Catalogue& catalogue = installation().host().catalogue();
  if (catalogue.find(type) != nullptr) return;
  const std::vector<std::string> names = catalogue.names();
  const std::string near = nearest(type, names), prefix = type.substr(0, slash + 1);
  const std::string help = near.empty() ? "hilda.blocks() lists all types" : "did you mean " + in_quotes(near) + "?";
  const bool slip = std::any_of(names.begin(), names.end(), [&](const auto& name) { return name.starts_with(prefix); });
  if (slip) raise_error("no plugin has a block of type " + in_quotes(type) + "; " + help);
  const std::string text =
      "no plugin here has a block of type " + in_quotes(type) + ", so Simulation needs plugins=[...]; " + help;
  if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1) != 0) throw py::error_already_set();
}

std::string added_doc() {
  std::string doc = "Adds a block by its type, or one of";
  for (const ElementKind* each : elements::all)
    if (each != &elements::block && each != &elements::connect) doc += " '" + std::string(each->tag) + "'";
  return doc + ".";
}

/// gain="2", gain=2.5 or enabled=True.
void add_settings(Words& words, const py::kwargs& settings) {
  for (const auto& [name, value] : settings)
    words.push_back(name.cast<std::string>() + "=" + value_text(py::reinterpret_borrow<py::object>(value)));
}

} // namespace

void bind_edit(py::module_& module) {
  py::class_<EditedDiagram>(module, "Diagram",
                            "A diagram that is built or edited by program; it is written as if by hand.")
      .def(py::init(&new_diagram), py::kw_only(), py::arg("name") = "diagram", py::arg("period") = "",
           py::arg("doc") = "", "A new diagram without any block.")
      .def(
          "add",
          [](EditedDiagram& d, const std::string& type, const std::optional<std::string>& name,
             const py::kwargs& settings) {
            look_for_type(type);
            Words words{"add", type};
            if (name) words.push_back(*name);
            add_settings(words, settings);
            d.apply({words});
          },
          py::arg("type"), py::arg("name") = py::none(), added_doc().c_str())
      .def(
          "set",
          [](EditedDiagram& d, const std::string& path, const py::object& value) {
            d.apply({{"set", path + "=" + value_text(value)}});
          },
          py::arg("path"), py::arg("value"), "Sets an attribute of a block, the value of a parameter, or the period.")
      .def(
          "unset",
          [](EditedDiagram& d, const std::string& path) {
            d.apply({{"unset", path}});
          },
          py::arg("path"), "Takes an attribute out.")
      .def(
          "connect",
          [](EditedDiagram& d, const std::string& from, const std::string& to, const py::kwargs& settings) {
            Words words{"connect", from, to};
            add_settings(words, settings);
            d.apply({words});
          },
          py::arg("source"), py::arg("destination"), "Draws a wire; mode=, shape= and doc= may be given.")
      .def(
          "disconnect",
          [](EditedDiagram& d, const std::string& from, const std::optional<std::string>& to) {
            d.apply({to ? Words{"disconnect", from, *to} : Words{"disconnect", from}});
          },
          py::arg("source"), py::arg("destination") = py::none(), "Removes a wire, or what drives one input.")
      .def(
          "remove",
          [](EditedDiagram& d, const std::string& name) {
            return d.apply({{"remove", name}});
          },
          py::arg("name"), "Removes something with its wires; gives a sentence for each thing that went with it.")
      .def(
          "rename",
          [](EditedDiagram& d, const std::string& old, const std::string& name) {
            return d.apply({{"rename", old, name}});
          },
          py::arg("old"), py::arg("new"), "Renames something with all that refers to it.")
      .def(
          "group",
          [](EditedDiagram& d, const std::vector<std::string>& names, const std::string& name) {
            Words words{"group"};
            words.insert(words.end(), names.begin(), names.end());
            words.insert(words.end(), {"as", name});
            return d.apply({words});
          },
          py::arg("names"), py::arg("name"), "Moves blocks and subsystems into a new one.")
      .def(
          "extract",
          [](EditedDiagram& d, const std::string& name, const Path& file) {
            return d.apply({{"extract", name, "to", file.string()}});
          },
          py::arg("name"), py::arg("file"), "Moves the body of a subsystem into a file, which write() makes.")
      .def("apply", &EditedDiagram::apply, py::arg("operations"),
           "Operations as words, [['set', 'lead.time_constant=4ms'], ['remove', 'g']], made all or not at all, as one "
           "step.")
      .def(
          "undo", [](EditedDiagram& d) { return d.editor().undo(); }, "Takes the last step back; False: there is none.")
      .def(
          "redo", [](EditedDiagram& d) { return d.editor().redo(); }, "Makes it again; False: there is none.")
      .def_property_readonly(
          "file", [](EditedDiagram& d) { return d.editor().name(); }, "Where it lies, or would be written.")
      .def_property_readonly(
          "text", [](EditedDiagram& d) { return d.editor().text(); }, "The file as it would be written.")
      .def("diff", &EditedDiagram::diff, "What was changed since it was opened, as `diff -u` writes it.")
      .def("write", &EditedDiagram::write, py::arg("path") = py::none(),
           "Writes it. A file that another has changed meanwhile is not overwritten, nor is another file.")
      .def("__str__", [](EditedDiagram& d) { return d.editor().text(); })
      .def("__repr__", [](EditedDiagram& d) { return "<hilda.Diagram " + d.editor().name() + ">"; });
  module.def("edit", &open_diagram, py::arg("file"), "Opens a diagram file to edit it.");
}

} // namespace hilda::python
