// SPDX-License-Identifier: BSD-3-Clause
#include "engine/authoring/diagram_editor.h"
#include "engine/base/output_files.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sys/stat.h>

namespace hilda::authoring {
namespace {

std::optional<std::string> bytes_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

/// The administrator may write a read-only file, but it was protected nevertheless.
bool is_protected(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && (info.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) == 0;
}

} // namespace

bool save_edited(const DiagramEditor& editor, const std::string& path, const std::optional<std::string>& as_read,
                 std::string& error) {
  OutputFiles files;
  std::vector<std::pair<std::unique_ptr<OutputFile>, std::string>> outputs;
  const auto fail = [&error](const std::string& why) {
    error = why;
    return false;
  };
  for (const NewFile& each : editor.files()) {      // those next to it first: the diagram names them
    if (bytes_of(each.path) == each.text) continue; // written before
    if (std::filesystem::exists(each.path)) return fail(each.path + " is there already\nhelp: nothing is overwritten");
    outputs.emplace_back(files.open(each.path, OutputKind::text, FileContent::diagram), each.text);
    if (outputs.back().first == nullptr) return fail(files.error());
  }
  if (is_protected(path)) return fail(path + " cannot be written: it is write-protected");
  // the present content is compared with what was read, below
  outputs.emplace_back(files.open(path, OutputKind::text, content_of_file(path)), editor.text());
  if (outputs.back().first == nullptr) return fail(files.error());
  for (auto& [output, text] : outputs)
    if (!output->room_for(text.size()) || !output->write(text)) return fail(output->error());
  // Others that write by this way are locked out by now.
  const std::optional<std::string> now = bytes_of(path);
  if (now != as_read)
    return fail(!as_read ? path + " is there already\nhelp: name another file; nothing is overwritten"
                         : path + " has changed since it was read, and is left as it is\nhelp: do the edit once more");
  for (auto& [output, text] : outputs)
    if (!output->commit()) return fail(output->error());
  return true;
}

} // namespace hilda::authoring
