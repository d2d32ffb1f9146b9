// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <map>
#include <string>
#include <vector>

namespace hilda::cli {

/// A word of C++ or of the build, which nothing can be called.
bool reserved_word(const std::string& name);

/// A text as C++ writes it; control characters are blanks.
std::string cpp_text(const std::string& text);

/// The class that is in a subsystem's place: "rig.force_control" gives ForceControl. Types of the SDK keep their
/// names.
std::string class_name(const std::string& subsystem);

/// What the members of a class are called that stand for these names: as they are, but for those that C++, the SDK, a
/// macro or the class itself has. No two are alike.
std::map<std::string, std::string> member_names(const std::vector<std::string>& names, const std::string& class_name);

} // namespace hilda::cli
