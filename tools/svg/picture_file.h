#pragma once

#include <string>
#include <vector>

namespace hilda::svg {

/// Writes a drawing as the file's name asks: .svg as it is, .png and .pdf through librsvg's program rsvg-convert.
/// False, and `error` with what to do, where the name asks for something else, the program is missing or the file
/// cannot be written.
/// @param scale  of a PNG: pixels a px of the drawing
bool write_picture(const std::string& svg, const std::string& path, double scale, std::string& error);

/// What a program answers.
struct Answer {
  bool started = false; ///< false: there is no such program
  int status = -1;      ///< its exit code
  std::string out;
};

/// Runs a program of the search path without a shell: `input` to its standard input, its standard output back.
/// Its messages go to our standard error.
Answer ask_program(const std::vector<std::string>& command, const std::string& input);

} // namespace hilda::svg
