// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/plugin/library.h"
#include "tools/fmi/detail/model/instance.h"
#include "tools/modules.h"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace hilda::fmi {

/// resources/hilda.json and the files of the diagram, by their names in the FMU.
std::map<std::string, std::string> package_files(const Package& package, const Sources& sources);

/// What `package_files` wrote; `text` gives a file by its name there. Throws nlohmann::json::exception.
Package package_of(const std::function<std::string(const std::string&)>& text);
/// The same from a folder. Throws Refused.
std::shared_ptr<const Package> read_package(const std::string& folder);

/// The plugins next to the FMU's library, loaded once for all instances. Throws Refused.
const Catalogue& bundled_catalogue();

/// An instance of the FMU whose resources are in this folder, or at this file URI; empty: next to the library.
std::unique_ptr<Instance> open_instance(const std::string& resources, const std::string& token);

/// Where the library lies that holds this function.
std::string own_folder();

} // namespace hilda::fmi
