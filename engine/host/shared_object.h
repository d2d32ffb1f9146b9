#pragma once

#include <string>

namespace hilda {

/// Looks at a file before the dynamic linker does: the linker waits for ever at a pipe, and a library that is cut short
/// (a copy under way, a full disk) ends the program by SIGBUS. Empty where nothing speaks against opening the file,
/// which says nothing about whether it is a plugin; else what is wrong, as the end of a sentence.
std::string why_not_openable(const std::string& file);

/// Whoever can write to a plugin runs code as the one who loads it. What speaks against a file, or a folder that is
/// loaded whole; empty where only its owner and his group can write.
std::string why_not_trusted(const std::string& path);

} // namespace hilda
