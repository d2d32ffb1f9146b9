// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/merge.h"

#include "tools/cli/detail/program/terminal.h"
#include "tools/cli/detail/sweep/study_arguments.h"

#include <cstdio>

namespace hilda::cli {
namespace {

struct MergeArguments {
  std::vector<std::string> stores;
  std::string into;
};

int merge(const MergeArguments& arguments) {
  Merged merged;
  std::string error;
  if (!merge_stores(arguments.stores, arguments.into, merged, error)) {
    print_error(error);
    return merged.misuse ? exit_usage : merged.unwritten ? exit_failed_run : exit_bad_file;
  }
  std::printf("runs     %lld%s\n", static_cast<long long>(merged.rows),
              merged.missing > 0 ? (", " + std::to_string(merged.missing) + " are missing").c_str()
                                 : ", all of the study");
  std::printf("results  %s\n", arguments.into.c_str());
  return exit_ok;
}

} // namespace

void add_sweep_merge(Command sweep) {
  Command command = sweep.command("merge", "Joins the results of a study's parts");
  auto arguments = std::make_shared<MergeArguments>();
  command.option("FILES", arguments->stores, "Results of parts of one study").required().option_text("FILE...");
  command.option("-o,--output", arguments->into, "File of all results").required().type_name("FILE");
  command.footer(
      "The rows are the same as of one sweep over the whole study. Parts of different studies, of different\n"
      "programs, or with different rows of one run are refused.");
  command.runs([arguments] { return merge(*arguments); });
}

} // namespace hilda::cli
