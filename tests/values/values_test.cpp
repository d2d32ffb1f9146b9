// SPDX-License-Identifier: BSD-3-Clause
#include "engine/compile/loaded_diagram.h"
#include "tests/folder.h"
#include "tests/modules.h"
#include "tests/project_folders.h"
#include "tests/standard_plugins.h"
#include "tests/values/wrong_values.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <regex>
#include <sys/resource.h>
#include <tinyxml2.h>

// Every parameter of every shipped block, given what it cannot take: each has to be named at its own line. The cases
// come from the catalogue, so that a new parameter is tried without a new test.

namespace hilda::test {
namespace {

namespace fs = std::filesystem;
const fs::path source = source_folder();

/// How a type is written in one of our own diagrams.
struct Sample {
  fs::path folder = source / "tests" / "blocks";
  std::map<std::string, std::string> values;
};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

void harvest(const tinyxml2::XMLElement* element, const fs::path& folder, std::map<std::string, Sample>& samples) {
  for (; element != nullptr; element = element->NextSiblingElement()) {
    const char* type = element->Attribute("type");
    if (type != nullptr && std::string(element->Name()) == "block" && !samples.contains(type)) {
      Sample sample;
      sample.folder = folder;
      bool plain = true;
      for (const auto* a = element->FirstAttribute(); a != nullptr; a = a->Next()) {
        sample.values[a->Name()] = a->Value();
        plain = plain && std::string(a->Value()).find("${") == std::string::npos;
      }
      if (plain) samples[type] = sample;
    }
    harvest(element->FirstChildElement(), folder, samples);
  }
}

std::map<std::string, Sample> all_samples() {
  std::map<std::string, Sample> samples;
  for (const char* root : {"tests/blocks", "diagrams", "examples", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator(source / root)) {
      if (entry.path().extension() != ".xml") continue;
      tinyxml2::XMLDocument document;
      if (document.LoadFile(entry.path().c_str()) == tinyxml2::XML_SUCCESS)
        harvest(document.RootElement(), entry.path().parent_path(), samples);
    }
  return samples;
}

/// A diagram of one block, each parameter on a separate line.
class OneBlock {
public:
  OneBlock(const BlockType& type, const Sample* sample) : type_(type) {
    file_ = ((sample != nullptr ? sample->folder : Sample().folder) / "one_block.xml").string();
    for (const Slot& slot : type.slots) {
      if (slot.role != HILDA_PARAMETER) continue;
      const bool given = sample != nullptr && sample->values.contains(slot.name);
      if (given) values_[slot.name] = sample->values.at(slot.name);
      if (!given && !slot.initial) values_[slot.name] = sound_value(slot);
    }
  }

  /// The messages about it with one value changed; `line` is that value's.
  Diagnostics with(const std::string& name, const std::string& value, int& line) const {
    std::map<std::string, std::string> values = values_;
    if (!name.empty()) values[name] = value;
    std::string text =
        "<diagram format=\"1\" name=\"one\" period=\"1 ms\">\n<block name=\"it\" type=\"" + type_.name + "\"";
    int at = 2;
    for (const auto& [parameter, written] : values) {
      text += "\n  " + parameter + "=\"" + escaped(written) + "\"";
      ++at;
      if (parameter == name) line = at;
    }
    text += "/>\n</diagram>\n";
    return LoadedDiagram(all_plugins().catalogue(), DiagramText{file_, text}).diagnostics();
  }

private:
  const BlockType& type_;
  std::string file_;
  std::map<std::string, std::string> values_;
};

bool told(const Diagnostics& diagnostics, int line) {
  const auto here = [line](const Diagnostic& each) {
    return each.severity == Diagnostic::Severity::error && each.line == line;
  };
  return std::any_of(diagnostics.all().begin(), diagnostics.all().end(), here);
}

// The address sanitizer keeps what is freed, so that the memory in use says nothing.
#if defined(__has_feature)
constexpr bool memory_tells = !__has_feature(address_sanitizer);
#elif defined(__SANITIZE_ADDRESS__)
constexpr bool memory_tells = false;
#else
constexpr bool memory_tells = true;
#endif

long peak_kilobytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/// For docs/results/measurements/attacks.md, where its script asks for it.
void count(const char* attack, std::size_t cases) {
  const char* const file = std::getenv("HILDA_ATTACK_COUNTS");
  if (file == nullptr) return;
  std::ofstream(file, std::ios::app) << attack << '\t' << cases << '\n';
}

TEST(WrongValues, OfEveryParameterOfEveryBlockAreToldAtTheirLine) {
  const std::map<std::string, Sample> samples = all_samples();
  const long before = (all_plugins().catalogue(), peak_kilobytes());
  std::size_t cases = 0;
  for (const BlockType* type : all_plugins().catalogue().all()) {
    const auto sample = samples.find(type->name);
    const OneBlock block(*type, sample == samples.end() ? nullptr : &sample->second);
    int line = 0;
    const Diagnostics sound = block.with("", "", line);
    for (int at = 3; at < 40; ++at)
      EXPECT_FALSE(told(sound, at)) << type->name << " should be sound here but for its wires:\n" << sound.text();
    for (const Slot& slot : type->slots) {
      if (slot.role != HILDA_PARAMETER) continue;
      for (const WrongValue& wrong : wrong_values(slot)) {
        const Diagnostics diagnostics = block.with(slot.name, wrong.text, line);
        EXPECT_TRUE(told(diagnostics, line)) << type->name << " " << slot.name << "=\"" << wrong.text << "\" ("
                                             << wrong.what << "): nothing at line " << line << "\n"
                                             << diagnostics.text();
        ++cases;
      }
    }
  }
  EXPECT_GT(cases, 3000U);
  if (memory_tells) { EXPECT_LT(peak_kilobytes() - before, 100'000); }
  count("wrong values, each parameter of each block alone", cases);
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A value in a file: where it is.
struct Place {
  std::string name;
  std::size_t at = 0, size = 0;
  int line = 0;
};

/// Values of attributes of blocks, limits, subsystems, parameters: all but names, texts and wires.
std::vector<Place> values_in(const std::string& text) {
  static const std::regex attribute(R"re(([A-Za-z_.0-9]+)="([^"]*)")re");
  static const std::regex word("name|type|src|from|to|doc|mode|format|on|path|unit|kind|ui\\..*|enable|reset|outputs|"
                               "port|effort|flow|shape|dimension|version|encoding|signal|through");
  std::vector<Place> places;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), attribute); it != std::sregex_iterator(); ++it) {
    if (std::regex_match((*it)[1].str(), word)) continue;
    const auto at = static_cast<std::size_t>(it->position(2));
    const auto begin = text.begin();
    places.push_back({(*it)[1].str(), at, static_cast<std::size_t>(it->length(2)),
                      1 + static_cast<int>(std::count(begin, begin + static_cast<std::ptrdiff_t>(at), '\n'))});
  }
  return places;
}

/// Errors of a file in one mode.
Diagnostics checked(const fs::path& file, LoadOptions options) {
  options.library_path = {(file.parent_path()).string()};
  return LoadedDiagram(all_plugins().catalogue(), file.string(), options).diagnostics();
}

/// Is there a message about this line of the file, in an error or in what explains one?
bool named(const Diagnostics& diagnostics, const std::string& file, int line) {
  const auto here = [&](const auto& each) { return each.line == line && fs::path(each.file).filename() == file; };
  for (const Diagnostic& each : diagnostics.all())
    if (each.severity == Diagnostic::Severity::error &&
        (here(each) || std::any_of(each.notes.begin(), each.notes.end(), here)))
      return true;
  return false;
}

/// A copy of a folder that may be spoilt.
class Copy : public test::Folder {
public:
  explicit Copy(const fs::path& from) { fs::copy(from, path(), fs::copy_options::recursive); }
};

/// Each value of `file` in turn becomes a ragged matrix, which nothing takes; `top` is checked each time.
std::size_t spoil(const fs::path& top, const fs::path& file, const LoadOptions& options,
                  const std::vector<std::string>& exempt = {}) {
  const std::string good = text_of(file);
  const Diagnostics before = checked(top, options);
  EXPECT_TRUE(before.ok()) << before.text();
  std::size_t cases = 0;
  for (const Place& place : values_in(good)) {
    // texts may be anything; what another file sets is not read
    const std::size_t begin = good.rfind('\n', place.at) + 1;
    const std::string line = good.substr(begin, good.find('\n', place.at) - begin);
    const std::string value = good.substr(place.at, place.size);
    const bool number = !value.empty() && (value[0] == '-' || std::isdigit(static_cast<unsigned char>(value[0])) != 0);
    const auto in_line = [&line](const std::string& word) { return line.find(word) != std::string::npos; };
    if (!number || std::any_of(exempt.begin(), exempt.end(), in_line)) continue;
    std::string bad = good;
    bad.replace(place.at, place.size, "1;2 3");
    std::ofstream(file) << bad;
    const Diagnostics diagnostics = checked(top, options);
    EXPECT_TRUE(named(diagnostics, file.filename().string(), place.line))
        << file.filename().string() << ":" << place.line << ": " << place.name << "=\"1;2 3\" is not told\n"
        << diagnostics.text();
    ++cases;
  }
  std::ofstream(file) << good;
  return cases;
}

TEST(WrongValues, OfWiredBlocksAreTold) {
  const Copy copy(source / "tests" / "blocks");
  const fs::path file = copy / "every_block.xml";
  const std::size_t cases = spoil(file, file, {});
  EXPECT_GT(cases, 50U);
  count("ragged matrix for each value of a wired diagram of every block", cases);
}

TEST(WrongValues, OfRigsLimitsAndCellsAreTold) {
  const Copy copy(source / "diagrams");
  std::size_t cases = 0;
  const std::vector<std::string> duration = {"name=\"duration\""}; // hilda run reads it: tests/cli
  for (const char* name : {"pida.xml", "dac.xml", "tdpa_full.xml", "emulation_transmissivity.xml"}) {
    LoadOptions options;
    options.mode = name[0] == 'e' ? "" : "sim";
    cases += spoil(copy / name, copy / name, options, duration);
  }
  LoadOptions cell;
  cell.mode = "hardware";
  cell.rig = copy.path("rigs/kuka_ati.xml");
  cell.overlays = {copy.path("rigs/kuka_ati_loopback.xml")};
  cases += spoil(copy / "pida.xml", cell.rig, cell, {"http_port", "stuck_after"}); // the overlay sets them
  cases += spoil(copy / "pida.xml", cell.overlays.front(), cell, {"address"});
  EXPECT_GT(cases, 100U);
  count("ragged matrix for each value of shipped diagrams, rig, limits, overlay", cases);
}

} // namespace
} // namespace hilda::test
