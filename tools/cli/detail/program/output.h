// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/base/output_files.h"
#include "engine/log/log.h"
#include "tools/cli/detail/program/command.h"
#include "tools/modules.h"

#include <memory>
#include <string>

namespace hilda::cli {

/// Says why an output could not be opened, with `help` behind it, and how the program ends.
Exit refused(const OutputFiles& files, const std::string& help = {});

/// Writes a whole text and puts the file into place; says what goes wrong.
Exit finish(OutputFile& file, const std::string& text);

/// Where `file` is standard output, everything printed from here on goes to standard error: it would otherwise be part
/// of the file.
void words_beside(const OutputFile& file);

/// Prints where an output went, and `more` behind it; nothing where that is a pipe or a device, as `/dev/stdout` is:
/// the line would be part of the output.
void tell_place(const OutputFile& file, const std::string& more = {});

/// "out/pida.csv" for "out/pida.mcap" and for "out/pida.mcap.part".
std::string beside(const std::string& log, const std::string& extension);
/// "pida" for both.
std::string stem_of(const std::string& log);

/// Prints what is wrong with a log, after every byte of it was looked at. exit_ok, or exit_bad_file where something is
/// damaged; a log that only ends early, as during a run, is used as far as it goes.
Exit tell_problems(Log& log, const std::string& name = {});

/// Before everything: a standard stream that is closed would give its number to the next file that is opened, a log or
/// a robot's socket, and what is printed would go into that. Its place is taken by one that fails as a closed one does.
void hold_streams();

/// After everything: was standard output taken? `code`, or exit_failed_run with a message.
int end_output(int code);

} // namespace hilda::cli
