// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/output_files.h"
#include "tools/modules.h"

#include <string>
#include <vector>

namespace hilda::graphics::svg {

/// The fault of the name of a picture; empty where it ends in .svg, .png or .pdf.
std::string fault_of_name(const std::string& path);

/// Writes a drawing as the file's name asks: .svg as it is, .png and .pdf through librsvg's program rsvg-convert.
/// False, and `error` with what to do, where the program is missing or the file cannot be written.
/// @param scale  of a PNG: pixels a px of the drawing
bool write_picture(const std::string& svg, OutputFile& file, double scale, std::string& error);

/// What a program answers.
struct Answer {
  bool started = false; ///< false: there is no such program
  int status = -1;      ///< its exit code
  std::string out;
};

/// Runs a program of the search path without a shell: `input` to its standard input, its standard output back.
/// Its messages go to our standard error.
Answer ask_program(const std::vector<std::string>& command, const std::string& input);

} // namespace hilda::graphics::svg
