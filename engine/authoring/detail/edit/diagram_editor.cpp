// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/diagram_editor.h"

#include <algorithm>
#include <stdexcept>

namespace hilda::authoring {
namespace {

constexpr const char* no_diagram_help = "a diagram file is one element <diagram format=\"1\">...</diagram>";

} // namespace

DiagramEditor::DiagramEditor(std::string name, std::string absolute, std::string text, std::string asker)
    : file_{std::move(name), std::move(absolute), std::move(text)}, asker_(std::move(asker)) {}

bool DiagramEditor::apply(const Words& operation, Step& step, Diagnostics& diagnostics) {
  const std::optional<XmlSpans> spans = scan_spans(file_, diagnostics);
  if (!spans) return false;
  const XmlNode& root = spans->root();
  if (root.tag != "diagram") {
    diagnostics.error("not-a-diagram", {&file_.name, root.line},
                      "the file begins with <" + root.tag + ">, not with <diagram>", no_diagram_help);
    return false;
  }
  EditContext context{file_.name,  file_.absolute, file_.text, *spans, Layout(file_.text, *spans),
                      diagnostics, suggestions_,   remarks_,   asker_};
  std::optional<Change> change = change_of(context, operation);
  if (!change) return false;
  if (!change->edit.settle()) throw std::logic_error("an edit contradicts itself: " + operation.front());
  step.forward.push_back(change->edit);
  step.back.push_back(change->edit.inverse(file_.text));
  step.files.insert(step.files.end(), change->files.begin(), change->files.end());
  file_.text = change->edit.applied(file_.text);
  return true;
}

bool DiagramEditor::apply(const std::vector<Words>& operations, Diagnostics& diagnostics) {
  remarks_.clear();
  const std::string before = file_.text;
  Step step;
  bool good = true;
  for (const Words& operation : operations)
    for (const Words& each : single_operations(operation)) good = good && apply(each, step, diagnostics);
  if (good && !scan_spans(file_, diagnostics)) good = false; // more attributes or bytes than a file may have
  if (!good) {
    file_.text = before;
    return false;
  }
  keep(std::move(step));
  return true;
}

/// What was undone before is forgotten.
void DiagramEditor::keep(Step step) {
  steps_.resize(done_);
  steps_.push_back(std::move(step));
  ++done_;
}

void DiagramEditor::rewrite(const std::string& text, std::vector<NewFile> files) {
  remarks_.clear();
  const std::string& old = file_.text;
  const std::size_t shorter = std::min(old.size(), text.size());
  std::size_t head = 0, tail = 0;
  while (head < shorter && old[head] == text[head]) ++head;
  while (tail < shorter - head && old[old.size() - 1 - tail] == text[text.size() - 1 - tail]) ++tail;
  TextEdit edit;
  edit.replace({head, old.size() - tail}, text.substr(head, text.size() - tail - head));
  Step step;
  step.back.push_back(edit.inverse(old));
  step.forward.push_back(std::move(edit));
  step.files = std::move(files);
  step.all_files = true;
  file_.text = text;
  keep(std::move(step));
}

bool DiagramEditor::undo() {
  if (done_ == 0) return false;
  remarks_.clear();
  const Step& step = steps_[--done_];
  for (auto back = step.back.rbegin(); back != step.back.rend(); ++back) file_.text = back->applied(file_.text);
  return true;
}

bool DiagramEditor::redo() {
  if (done_ == steps_.size()) return false;
  remarks_.clear();
  for (const TextEdit& forward : steps_[done_++].forward) file_.text = forward.applied(file_.text);
  return true;
}

std::vector<NewFile> DiagramEditor::files() const {
  std::vector<NewFile> all;
  for (std::size_t i = 0; i < done_; ++i) {
    if (steps_[i].all_files) all.clear();
    all.insert(all.end(), steps_[i].files.begin(), steps_[i].files.end());
  }
  return all;
}

} // namespace hilda::authoring
