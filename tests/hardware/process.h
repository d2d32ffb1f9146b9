// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/folder.h"
#include "tests/hardware/own_time.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace hilda::test {

/// `hilda ARGUMENTS` as a separate process, its output in files of the folder.
class Process {
public:
  enum class Input { none, typed };
  /// `name`.out and `name`.err take its output. `time`: what it takes for the machine's; null: that itself.
  Process(const Folder& folder, const std::string& name, const std::vector<std::string>& arguments,
          Input input = Input::none, const OwnTime* time = nullptr);
  ~Process(); ///< interrupts it where it still runs
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void type(const std::string& line); ///< where its input is typed
  void interrupt();                   ///< as Ctrl-C
  void kill();                        ///< at once
  void hold_up(double seconds);       ///< as a machine does that has no time for it
  /// Its exit code; 128 and the signal where one killed it.
  int wait();
  bool running();
  pid_t id() const { return pid_; }

private:
  pid_t pid_ = -1;
  int status_ = 0;
  int keyboard_ = -1;
};

/// What a run did.
struct Finished {
  int exit = -1;
  std::string out, err;
  nlohmann::json summary; ///< null where there is none
};

/// What the cell and the runs against it keep time by.
enum class CellTime {
  machine, ///< the machine's: a busy one makes them lose cycles
  stands,  ///< an OwnTime as fast as the machine's at most
  fast     ///< the same, twenty times as fast: for runs that no one attends
};

/// The simulated cell in a process, and runs against it, on ports that no one else has.
class CellBench {
public:
  /// `settings` of diagrams/cells/kuka_ati.xml, "sensor_delay=3ms".
  explicit CellBench(const std::vector<std::string>& settings = {}, CellTime time = CellTime::machine);

  /// Arguments of `hilda COMMAND DIAGRAM` in mode hardware with the loopback overlay; `more` is put behind. An empty
  /// diagram: none.
  std::vector<std::string> arguments(const std::string& command, const std::string& diagram,
                                     const std::vector<std::string>& settings,
                                     const std::vector<std::string>& more) const;
  /// Runs them to the end.
  Finished run(const std::string& command, const std::string& diagram, const std::vector<std::string>& settings,
               const std::vector<std::string>& more);
  /// Starts them. They continue when this returns.
  std::unique_ptr<Process> start(const std::string& name, const std::vector<std::string>& arguments,
                                 Process::Input input = Process::Input::none) const;
  /// Interrupts the cell: its summary.
  nlohmann::json end();
  const Folder& folder() const { return folder_; }
  /// None where it is the machine's.
  OwnTime* time() { return time_ ? &*time_ : nullptr; }
  const OwnTime* time() const { return time_ ? &*time_ : nullptr; }

private:
  Folder folder_;
  std::optional<OwnTime> time_;
  int robot_port_, record_port_, page_port_;
  Process cell_;
};

} // namespace hilda::test
