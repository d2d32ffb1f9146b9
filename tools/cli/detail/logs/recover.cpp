// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/log_recovery.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/output.h"
#include "tools/cli/detail/program/terminal.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <system_error>

namespace hilda::cli {
namespace {

struct RecoverArguments {
  std::string log, out;
};

bool exists(const std::string& path) {
  std::error_code none;
  return std::filesystem::exists(path, none);
}

int recover(const RecoverArguments& arguments) {
  if (const std::string writer = writer_of(arguments.log); !writer.empty()) {
    print_error(arguments.log + " is being written by " + writer + "\nhelp: it is read as it is: hilda info " +
                arguments.log);
    return exit_failed_run;
  }
  if (const std::string part = arguments.log + ".part"; !exists(arguments.log) && exists(part)) {
    print_error("there is no " + arguments.log + ", but an unfinished log of that name\nhelp: hilda recover " + part);
    return exit_bad_file;
  }
  OutputFiles files;
  files.reads(arguments.log);
  const std::string out = arguments.out.empty() ? beside(arguments.log, ".recovered.mcap") : arguments.out;
  auto file = files.open(out, OutputKind::log, FileContent::log);
  if (!file) return refused(files, "name another file with --out");
  if (!file->kept().empty())
    print_note("an unfinished log of an earlier run was in the way: it is " + file->kept() + " now");
  Recovery recovery;
  std::string error;
  if (!recover_log(arguments.log, std::move(file), recovery, error)) {
    print_error(error);
    return recovery.unwritable ? exit_failed_run : exit_bad_file;
  }
  for (const std::string& remark : recovery.remarks) print_note(remark);
  if (recovery.strange > 0)
    print_note(fmt::format("{} message{} a time that is not that of a tick: left out", recovery.strange,
                           recovery.strange == 1 ? " has" : "s have"));
  std::printf("recovered  %s: %llu samples%s", out.c_str(), static_cast<unsigned long long>(recovery.messages),
              recovery.cut ? ", cut before the run's end" : "");
  if (recovery.bytes_left_out > 0) std::printf(", %s left out", bytes_text(recovery.bytes_left_out).c_str());
  std::printf("\n");
  if (recovery.messages > 0 && recovery.whole()) return exit_ok;
  print_error(recovery.messages == 0 ? "no sample could be had"
                                     : "not all that was recorded could be had, or is certain to be right");
  return exit_bad_file;
}

} // namespace

void add_recover(Program& program) {
  Command command = program.command("recover", "Makes a whole log of what can be had of one that is cut or damaged");
  auto arguments = std::make_shared<RecoverArguments>();
  command.option("LOG", arguments->log, "Log of a run (MCAP); NAME.part of one that was killed")
      .required()
      .option_text("FILE");
  command.option("-o,--out", arguments->out, "Log to write; NAME.recovered.mcap if not given").type_name("FILE");
  command.footer("Every sample whose checksum is right is kept, wherever the file is damaged. Reading needs none of\n"
                 "this: info, export, compare, plot, report and replay take a cut log as it is.\n"
                 "Examples:\n"
                 "  hilda recover out/pida.mcap.part\n"
                 "  hilda recover damaged.mcap -o whole.mcap");
  command.runs([arguments] { return recover(*arguments); });
}

} // namespace hilda::cli
