// SPDX-License-Identifier: BSD-3-Clause
#include "tools/fmi/package.h"

#include "engine/base/characters.h"
#include "engine/session/program_abilities.h"

#include <dlfcn.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <mutex>
#include <nlohmann/json.hpp>
#include <system_error>
#include <vector>

namespace hilda::fmi {

namespace fs = std::filesystem;

namespace {

constexpr const char* index_name = "hilda.json";

std::string file_text(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(in), {});
  if (!in || fs::is_directory(file))
    throw refusal("fmi-resources", fmt::format("{} cannot be read", file.string()),
                  "give the importer the whole FMU, and the folder resources/ of it to Instantiate");
  return text;
}

/// "file:///tmp/a%20b" as a path.
std::string path_of(const std::string& uri) {
  if (!uri.starts_with("file:")) return uri;
  std::string_view rest = std::string_view(uri).substr(5);
  if (rest.starts_with("//")) rest = rest.substr(std::min(rest.find('/', 2), rest.size()));
  std::string path;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (rest[i] == '%' && i + 2 < rest.size()) {
      path += static_cast<char>(std::strtol(std::string(rest.substr(i + 1, 2)).c_str(), nullptr, 16));
      i += 2;
    } else {
      path += rest[i];
    }
  }
  return path;
}

std::mutex loading; ///< of plugins and diagrams

/// Libraries that plugins need: the dynamic linker does not look for those next to the FMU's library, but takes those
/// loaded already. One may need another; a library that is refused now waits for those.
void load_libraries(const fs::path& folder) {
  std::vector<fs::path> left;
  std::error_code unreadable;
  for (const fs::directory_entry& each : fs::directory_iterator(folder, unreadable))
    if (each.path().filename().string().starts_with("hld")) left.push_back(each.path());
  for (std::size_t before = left.size() + 1; left.size() < before;) {
    before = left.size();
    std::erase_if(left, [](const fs::path& file) { return dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr; });
  }
}

} // namespace

std::map<std::string, std::string> package_files(const Package& package, const Sources& sources) {
  std::map<std::string, std::string> files;
  nlohmann::json index = {{"diagram", package.diagram}, {"rig", package.rig},           {"mode", package.mode},
                          {"token", package.token},     {"settings", package.settings}, {"overlays", package.overlays}};
  for (const auto& source : sources.files()) {
    const std::string name = fmt::format("sources/{}_{}", files.size(), fs::path(source->name).filename().string());
    if (source->text.empty()) continue; // a plugin's name
    files[name] = source->text;
    index["files"].push_back({{"name", source->name}, {"file", name}});
  }
  files[index_name] = index.dump(2) + "\n";
  return files;
}

Package package_of(const std::function<std::string(const std::string&)>& text) {
  const nlohmann::json index = nlohmann::json::parse(text(index_name));
  Package package{index.at("diagram"),
                  index.at("rig"),
                  index.at("mode"),
                  index.at("token"),
                  index.at("settings"),
                  index.at("overlays"),
                  {}};
  for (const nlohmann::json& each : index.at("files")) package.files.add(each.at("name"), text(each.at("file")));
  return package;
}

std::shared_ptr<const Package> read_package(const std::string& folder) {
  const fs::path root(folder);
  try {
    return std::make_shared<const Package>(
        package_of([&root](const std::string& file) { return file_text(root / file); }));
  } catch (const nlohmann::json::exception& thrown) {
    throw refusal("fmi-resources", fmt::format("{} is damaged: {}", (root / index_name).string(), thrown.what()),
                  "take the file as it is in the FMU");
  }
}

std::string own_folder() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&own_folder), &info) == 0 || info.dli_fname == nullptr) return ".";
  return fs::absolute(info.dli_fname).parent_path();
}

const Catalogue& bundled_catalogue() {
  static Host& host = *new Host(program_abilities()); // to the end of the process: instances may live as long
  static const std::string problems = [] {
    load_libraries(own_folder());
    Diagnostics diagnostics;
    host.load_folder(own_folder() + "/plugins", diagnostics);
    return diagnostics.ok() ? std::string() : diagnostics.text();
  }();
  if (!problems.empty()) throw Refused{problems};
  return host.catalogue();
}

std::unique_ptr<Instance> open_instance(const std::string& resources, const std::string& token) {
  const std::string folder = resources.empty() ? own_folder() + "/../../resources" : path_of(resources);
  const std::scoped_lock lock(loading);
  std::shared_ptr<const Package> package = read_package(folder);
  const bool readable = first_bad_byte(token) == std::string_view::npos;
  const std::string shown = token.empty() ? "(none)" : readable ? token : "(not UTF-8)";
  if (token != package->token)
    throw refusal("fmi-token",
                  fmt::format("the importer gives the token {}, and this FMU has {}", shown, package->token),
                  "give the guid or instantiationToken of the modelDescription.xml that belongs to this library");
  return std::make_unique<Instance>(bundled_catalogue(), std::move(package));
}

} // namespace hilda::fmi
