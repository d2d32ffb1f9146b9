// SPDX-License-Identifier: BSD-3-Clause
#include "tools/studio/layout_file.h"

#include "engine/base/error.h"
#include "engine/base/output_files.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <system_error>

namespace hilda::studio {
namespace {

namespace fs = std::filesystem;

constexpr const char* own_folder = ".hilda";

/// @param error  a sentence, and behind "\nhelp: " what to do
Json not_done(const std::string& error) {
  constexpr std::string_view help = "\nhelp: ";
  const std::size_t at = std::min(error.find(help), error.size());
  Json reply{{"ok", false}, {"error", error.substr(0, at)}};
  if (at < error.size()) reply["help"] = error.substr(at + help.size());
  return reply;
}

std::string name_of(const Json& request) { return text_at(request, "name"); }

} // namespace

LayoutFile::LayoutFile(const std::string& diagram, bool writable) : writable_(writable) {
  std::error_code failed;
  const fs::path absolute = fs::weakly_canonical(fs::absolute(diagram, failed), failed);
  folder_ = absolute.parent_path().string();
  name_ = (fs::path(own_folder) / (absolute.stem().string() + ".layouts.json")).string();
}

std::optional<Json> LayoutFile::answer(const std::string& op, const Json& request) const {
  if (op == "layouts") return list();
  if (op == "keep_layout") return keep(request);
  if (op == "drop_layout") return drop(request);
  return std::nullopt;
}

std::string LayoutFile::place(std::string& error) const {
  std::error_code failed;
  const fs::path real = fs::weakly_canonical(fs::path(folder_) / name_, failed);
  const fs::path inside = real.lexically_relative(folder_);
  if (!failed && !inside.empty() && *inside.begin() != "..") return real.string();
  error = fmt::format("{} leads out of the diagram's folder {}: {}\nhelp: replace the link by a folder", name_, folder_,
                      failed ? failed.message() : real.string());
  return {};
}

Json LayoutFile::read(std::string& error) const {
  const std::string path = place(error);
  std::error_code none;
  if (path.empty() || !fs::exists(path, none)) return Json::object();
  const auto refuse = [&](const std::string& what) {
    error = name_ + ": " + what + "\nhelp: mend the file, or remove it; nothing is written before that";
    return Json::object();
  };
  if (const auto size = fs::file_size(path, none); none || size > most_bytes)
    return refuse(none ? none.message() : fmt::format("it has more than {} MB", most_bytes >> 20));
  std::ifstream in(path, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  try {
    Json all = Json::parse(text);
    if (!all.is_object() || all.value("format", Json(0)) != 1 || !all.value("layouts", Json()).is_object())
      return refuse(R"(it is not {"format": 1, "layouts": {"NAME": [..]}})");
    return all["layouts"];
  } catch (const Json::parse_error& problem) {
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(problem.byte, text.size()));
    error = fmt::format("{}:{}: it is not JSON\nhelp: mend the file, or remove it; nothing is written before that",
                        name_, 1 + std::count(text.begin(), end, '\n'));
    return Json::object();
  }
}

Json LayoutFile::shown(const Json& layouts) const {
  return {{"ok", true}, {"file", name_}, {"writable", writable_}, {"layouts", layouts}};
}

Json LayoutFile::list() const {
  std::string error;
  const Json layouts = read(error);
  return error.empty() ? shown(layouts) : not_done(error);
}

Json LayoutFile::write(const Json& layouts) const {
  std::string error;
  const std::string path = place(error);
  if (path.empty()) return not_done(error);
  const std::string text = Json{{"format", 1}, {"layouts", layouts}}.dump(1) + "\n";
  if (text.size() > most_bytes)
    return not_done(fmt::format("{} would have more than {} MB\nhelp: remove a layout", name_, most_bytes >> 20));
  std::error_code failed;
  fs::create_directory(fs::path(folder_) / own_folder, failed);
  if (failed) return not_done(fmt::format("{}: no folder can be made: {}", own_folder, failed.message()));
  OutputFiles files;
  if (!write_file(path, text, FileContent::json, files, error)) return not_done(error);
  return shown(layouts);
}

Json LayoutFile::keep(const Json& request) const {
  constexpr std::size_t longest = 200;
  if (!writable_) return not_done("this run keeps no layouts\nhelp: 'hilda studio' writes them next to the diagram");
  const std::string name = name_of(request);
  if (name.empty() || name.size() > longest) return not_done("a layout has a name of 200 bytes at most");
  const auto scopes = request.find("scopes");
  if (scopes == request.end() || !scopes->is_array())
    return not_done("'scopes' is a list\nhelp: docs/studio.md has what is in it");
  std::string error;
  Json layouts = read(error);
  if (!error.empty()) return not_done(error);
  if (layouts.size() >= most && !layouts.contains(name))
    return not_done(
        fmt::format("{} has {} layouts, and {} is the most\nhelp: remove one", name_, layouts.size(), most));
  layouts[name] = *scopes;
  return write(layouts);
}

Json LayoutFile::drop(const Json& request) const {
  if (!writable_) return not_done("this run keeps no layouts\nhelp: 'hilda studio' writes them next to the diagram");
  std::string error;
  Json layouts = read(error);
  if (!error.empty()) return not_done(error);
  if (layouts.erase(name_of(request)) == 0) return not_done("there is no layout " + in_quotes(name_of(request)));
  return write(layouts);
}

} // namespace hilda::studio
