// SPDX-License-Identifier: BSD-3-Clause
// wire_witness SCRIPT CAPTURE OUT ERR -- COMMAND...: plays robot, wire and sensor to COMMAND, and captures every
// datagram. Shares no code with the program under test.

#include "tests/wire/witness/stage.h"

#include <sched.h>
#include <sys/mman.h>

int main(int count, char** arguments) {
  std::vector<std::string> words(arguments + 1, arguments + count);
  if (words.size() < 6 || words[4] != "--") {
    std::fprintf(stderr, "usage: wire_witness SCRIPT CAPTURE OUT ERR -- COMMAND...\n");
    return 64;
  }
  witness::Script script;
  if (const std::string problem = script.read(words[0]); !problem.empty()) {
    std::fprintf(stderr, "witness: %s\n", problem.c_str());
    return 64;
  }
  witness::Capture capture(words[1]);
  witness::Stage stage(script, capture);
  const std::string problem = capture.open() ? stage.open() : "cannot write " + words[1];
  if (!problem.empty()) {
    std::fprintf(stderr, "witness: %s\n", problem.c_str());
    return 64;
  }
  // A clock as good as the machine gives. Where the rights are missing it slips, and the capture shows by how much.
  const sched_param first{90};
  sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &first);
  mlockall(MCL_CURRENT | MCL_FUTURE);
  witness::Program program({words.begin() + 5, words.end()}, words[2], words[3]);
  std::printf("%d\n", stage.run(program));
}
