// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/cli/detail/loading/diagram.h"
#include "tools/cli/detail/program/command.h"
#include "tools/cli/detail/program/interrupt.h"
#include "tools/modules.h"
#include "tools/studio/editing.h"
#include "tools/studio/hub.h"
#include "tools/studio/server.h"

#include <memory>
#include <string>
#include <vector>

namespace hilda::cli {

struct RunArguments;

/// What a server of a run takes.
struct ServeArguments {
  std::vector<std::string> port; ///< a number, or nothing
  std::string listen;
  std::vector<std::string> origins;
  bool operate = false; ///< clients may change parameters of a run on hardware
  bool serve = false;
  bool studio = false; ///< it waits at t = 0 and stays when the run is over
  bool browser = true; ///< one is opened
};

/// --listen --allow-origin, of `hilda run` and `hilda studio`
void add_serve_arguments(Command command, ServeArguments& arguments);

/// Those who look at a run, and the server by which they come.
class Serving {
public:
  explicit Serving(const ServeArguments& arguments) : arguments_(arguments) {}

  /// Listens. Faults are reported on stderr.
  Exit open();
  /// There is something to look at: says where, once, and opens a browser, if one is required and there is a screen.
  void show();
  const ServeArguments& arguments() const { return arguments_; }
  studio::Hub& hub() { return hub_; }
  /// From now on clients may edit the diagram.
  void edit(const RunArguments& run);
  /// At the end: which edits lie in which journal.
  void say_kept() const;
  studio::Editing* editing() { return editing_.get(); }

  /// A diagram that has errors is shown with them until one of its files changes, or someone asks for another try.
  /// False: the program is to end.
  bool wait_for_mending(const RunArguments& run, const Diagnostics& found);

private:
  Exit choose_token(std::string& token) const;
  void open_browser() const;

  const ServeArguments arguments_;
  studio::Hub hub_;
  std::unique_ptr<studio::Editing> editing_;
  std::unique_ptr<studio::Server> server_;
  bool shown_ = false;
};

} // namespace hilda::cli
