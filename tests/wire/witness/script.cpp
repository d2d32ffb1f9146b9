// SPDX-License-Identifier: BSD-3-Clause
#include "tests/wire/witness/script.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace witness {
namespace {

bool read_event(std::istringstream& words, Event& event) {
  double seconds = 0;
  if (!(words >> seconds)) return false;
  event.at = from_seconds(seconds);
  std::string word;
  while (words >> word) {
    if (word == "until") {
      if (!(words >> seconds)) return false;
      event.until = from_seconds(seconds);
    } else if (word == "boot") {
      event.boot = true;
    } else if (event.action.empty()) {
      event.action = word;
    } else {
      event.words.push_back(word);
    }
  }
  return !event.action.empty();
}

} // namespace

std::string Script::read(const std::string& path) {
  std::ifstream file(path);
  if (!file) return "cannot read " + path;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    std::istringstream words(line.substr(0, line.find('#')));
    std::string first;
    if (!(words >> first)) continue;
    if (first == "at") {
      Event event;
      if (!read_event(words, event)) return path + ":" + std::to_string(number) + ": no event: " + line;
      events_.push_back(event);
    } else {
      std::getline(words >> std::ws, settings_[first]);
    }
  }
  return "";
}

double Script::number(const std::string& name, double otherwise) const {
  const auto found = settings_.find(name);
  return found == settings_.end() ? otherwise : std::strtod(found->second.c_str(), nullptr);
}

std::string Script::text(const std::string& name, const std::string& otherwise) const {
  const auto found = settings_.find(name);
  return found == settings_.end() ? otherwise : found->second;
}

bool read_faults(const std::vector<std::string>& words, Faults& faults) {
  const std::map<std::string, double*> numbers{{"drop", &faults.drop},       {"duplicate", &faults.duplicate},
                                               {"reorder", &faults.reorder}, {"corrupt", &faults.corrupt},
                                               {"delay", &faults.delay},     {"jitter", &faults.jitter}};
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (word == "hold") {
      faults.hold = true;
      continue;
    }
    const auto found = numbers.find(word.substr(0, equals));
    if (equals == std::string::npos || found == numbers.end()) return false;
    *found->second = std::strtod(word.c_str() + equals + 1, nullptr);
  }
  return true;
}

} // namespace witness
