// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/study/loaded_study.h"
#include "engine/study/store.h"
#include "tools/cli/detail/program/arguments.h"
#include "tools/cli/detail/program/command.h"
#include "tools/modules.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hilda::cli {

/// Version and revision of this program, as rows carry them.
ProgramOrigin this_program();

/// STUDY and --plugins.
struct StudyArguments {
  std::string file;
  std::vector<std::string> plugins;
};

/// A study that has been read and checked; null, and an error on stderr, where something is wrong.
std::unique_ptr<LoadedStudy> load_study(const StudyArguments& arguments);

/// Results of a study; null, and an error on stderr, where they cannot be read.
std::unique_ptr<Store> read_store(const std::string& file);

/// The file in which rows of this study are written; null, and an error on stderr, where it cannot be one. `exit`: the
/// exit code then.
std::unique_ptr<Store> write_store(const std::string& path, const LoadedStudy& study, Exit& exit);

/// Closes a store. One of a wrong study is removed if it has no rows: the corrected study is another one, and would not
/// continue it. True where it was removed.
bool close_store(std::unique_ptr<Store>& store, const std::string& path, bool wrong);

/// A store with the study that is in it, loaded from its own files. Null, and an error on stderr, where it cannot be.
struct OpenStore {
  std::unique_ptr<Store> store;
  RecordedFiles files;
  std::unique_ptr<LoadedStudy> study;
};
std::unique_ptr<OpenStore> open_store(const std::string& file, const std::vector<std::string>& plugins);

/// "out/NAME.sqlite", and the folder `out`.
std::string own_store_path(const Study& study);

// Each adds one command to 'hilda sweep'.
void add_sweep_check(Command sweep);
void add_sweep_show(Command sweep);
void add_sweep_rerun(Command sweep);
void add_sweep_merge(Command sweep);
void add_sweep_export(Command sweep);
void add_sweep_edge(Command sweep);
void add_sweep_optimise(Command sweep);
void add_sweep_plot(Command sweep);
void add_sweep_report(Command sweep);
void add_sweep_submit(Command sweep);
void add_sweep_status(Command sweep);
void add_sweep_cancel(Command sweep);

} // namespace hilda::cli
