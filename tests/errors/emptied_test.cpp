// SPDX-License-Identifier: BSD-3-Clause
// Nothing between the quotes: each attribute of each element of the shipped diagrams is emptied once. A diagram without
// it may be another one, so none may pass in silence, and none may crash.
#include "engine/run/runtime.h"
#include "engine/run/start.h"
#include "tests/modules.h"
#include "tests/project_folders.h"
#include "tests/standard_plugins.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace hilda::test {
namespace {

namespace fs = std::filesystem;

/// Where an empty text is a value like another.
const std::set<std::pair<std::string, std::string>> may_be_empty = {
    {"ati_netft/NetFtDevice", "address"},       {"kuka_rsi/RsiController", "address"},
    {"kuka_rsi/RsiController", "ethernet"},     {"kuka_rsi/RsiController", "status"},
    {"kuka_rsi/RsiController", "stop_channel"}, {"sinks/Record", "key"}};

struct Place {
  std::string tag, type, attribute;
  std::size_t at = 0, length = 0; ///< of the value, in the file's text
  auto key() const { return std::tuple(tag, type, attribute); }
};

std::string without_comments(std::string text) {
  for (std::size_t at = text.find("<!--"); at != std::string::npos; at = text.find("<!--", at)) {
    const std::size_t end = std::min(text.find("-->", at), text.size());
    std::fill(text.begin() + static_cast<std::ptrdiff_t>(at), text.begin() + static_cast<std::ptrdiff_t>(end), ' ');
  }
  return text;
}

/// Every attribute that hilda reads; those written for people (doc, ui.) have no effect.
std::vector<Place> places_of(const std::string& file) {
  static const std::regex one(R"re(\s([A-Za-z_]\w*)="([^"]+)")re");
  std::vector<Place> places;
  const std::string text = without_comments(file);
  for (std::size_t open = text.find('<'); open != std::string::npos; open = text.find('<', open + 1)) {
    const std::string element = text.substr(open, text.find('>', open) - open);
    const std::string tag = element.substr(1, element.find_first_of(" \n/") - 1);
    std::smatch type;
    const bool typed = tag == "block" && std::regex_search(element, type, std::regex("\\stype=\"([^\"]*)\""));
    for (std::sregex_iterator found(element.begin(), element.end(), one), end; found != end; ++found)
      if ((*found)[1] != "doc")
        places.push_back({tag, typed ? type[1].str() : "", (*found)[1].str(),
                          open + static_cast<std::size_t>(found->position(2)),
                          static_cast<std::size_t>(found->length(2))});
  }
  return places;
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool passes(const fs::path& file, const std::string& text, const std::string& mode) {
  LoadOptions options;
  options.mode = mode;
  LoadedDiagram loaded(all_plugins().catalogue(), DiagramText{file.string(), text}, options);
  make_runtime(loaded); // blocks have their say
  return loaded.diagnostics().ok();
}

/// The modes in which a file is a diagram by itself.
std::vector<std::string> sound_modes(const fs::path& file, const std::string& text) {
  if (text.find("<diagram") == std::string::npos) return {};
  std::vector<std::string> modes = modes_of_file(file.string(), {});
  if (modes.empty()) modes = {"sim"};
  std::erase_if(modes, [&](const std::string& mode) { return !passes(file, text, mode); });
  return modes;
}

TEST(Emptied, EveryAttributeOfTheShippedDiagramsIsMissed) {
  fs::current_path(source_folder());
  std::set<std::tuple<std::string, std::string, std::string>> seen;
  for (const char* root : {"diagrams", "examples"})
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      const std::string text = entry.path().extension() == ".xml" ? text_of(entry.path()) : "";
      const std::vector<std::string> modes = sound_modes(entry.path(), text);
      for (const Place& place : places_of(text)) {
        if (modes.empty() || !seen.insert(place.key()).second) continue;
        if (may_be_empty.contains({place.type, place.attribute})) continue;
        if (!place.type.empty() && all_plugins().catalogue().find(place.type) == nullptr) continue; // a lesson's own
        for (const char* nothing : {"", " "}) {
          std::string emptied = text;
          emptied.replace(place.at, place.length, nothing);
          const auto silent = [&](const std::string& mode) { return passes(entry.path(), emptied, mode); };
          EXPECT_FALSE(std::all_of(modes.begin(), modes.end(), silent))
              << entry.path() << ": <" << place.tag << "> " << place.type << " " << place.attribute << "=\"" << nothing
              << "\"";
        }
      }
    }
  EXPECT_GT(seen.size(), 400u) << "the diagrams are no longer read";
}

} // namespace
} // namespace hilda::test
