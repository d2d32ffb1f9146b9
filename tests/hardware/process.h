#pragma once

#include "tests/folder.h"

#include <nlohmann/json.hpp>
#include <string>
#include <sys/types.h>
#include <vector>

namespace hilda::test {

/// `hilda ARGUMENTS` as a process of its own, its output in files of the folder.
class Process {
public:
  enum class Input { none, typed };
  /// `name`.out and `name`.err take its output.
  Process(const Folder& folder, const std::string& name, const std::vector<std::string>& arguments,
          Input input = Input::none);
  ~Process(); ///< interrupts it where it still runs
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void type(const std::string& line); ///< where its input is typed
  void interrupt();                   ///< as Ctrl-C
  void kill();                        ///< at once
  /// Its exit code; 128 and the signal where one killed it.
  int wait();
  bool running();

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

/// The simulated cell in a process, and runs against it, on ports that nobody else has.
class CellBench {
public:
  /// `settings` of diagrams/cells/kuka_ati.xml, "sensor_delay=3ms".
  explicit CellBench(const std::vector<std::string>& settings = {});

  /// Arguments of `hilda COMMAND DIAGRAM` in mode hardware with the loopback overlay; `more` is put behind. An empty
  /// diagram: none.
  std::vector<std::string> arguments(const std::string& command, const std::string& diagram,
                                     const std::vector<std::string>& settings,
                                     const std::vector<std::string>& more) const;
  /// Runs them to the end.
  Finished run(const std::string& command, const std::string& diagram, const std::vector<std::string>& settings,
               const std::vector<std::string>& more);
  /// Interrupts the cell: its summary.
  nlohmann::json end();
  const Folder& folder() const { return folder_; }

private:
  Folder folder_;
  int robot_port_, record_port_, page_port_;
  Process cell_;
};

} // namespace hilda::test
