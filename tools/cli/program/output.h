#pragma once

#include "engine/files/output_files.h"
#include "engine/log/log.h"
#include "tools/cli/program/command.h"

#include <memory>
#include <string>

namespace hilda::cli {

/// Says why an output could not be opened, with `help` behind it, and how the program ends.
Exit refused(const OutputFiles& files, const std::string& help = {});

/// Writes a whole text and puts the file into place; says what goes wrong.
Exit finish(OutputFile& file, const std::string& text);

/// "out/pida.csv" for "out/pida.mcap" and for "out/pida.mcap.part".
std::string beside(const std::string& log, const std::string& extension);
/// "pida" for both.
std::string stem_of(const std::string& log);

/// Prints what is wrong with a log. exit_ok, or exit_bad_file where something that was recorded is left out; a log
/// that only ends early, as during a run, is used as far as it goes.
Exit tell_problems(const Log& log, const std::string& name = {});

/// After everything: was standard output taken? `code`, or exit_failed_run with a message.
int end_output(int code);

} // namespace hilda::cli
