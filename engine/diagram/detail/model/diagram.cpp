// SPDX-License-Identifier: BSD-3-Clause
#include "engine/diagram/diagram.h"

#include <utility>

namespace hilda::diagram {

const Sources::File& Sources::add(std::string name, std::string absolute, std::string text) {
  files_.push_back(std::make_unique<File>(File{std::move(name), std::move(absolute), std::move(text)}));
  return *files_.back();
}

} // namespace hilda::diagram
