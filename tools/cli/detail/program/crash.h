// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

#include <initializer_list>

namespace hilda::plugin {
struct RunningCode;
}

namespace hilda::cli {}

namespace hilda::cli {

/// From here on the end of the program by a plugin says whose fault it was: plugin, block and phase, where
/// engine/plugin/running_code.h knows them. A crash then takes its course: the shell reports the signal, a core
/// is written where that is switched on. A plugin that calls exit, quick_exit or _exit ends it with exit code 2 while
/// it is loaded or set up and 3 afterwards, whatever it asked for.
void tell_of_crashes();

/// A plugin that ends the program by this function: never a success. Returns where none does.
void refuse_exit(const char* function);

/// What to do with a fatal signal that another process has sent: a run takes it as a request to end.
void on_signal_from_outside(void (*handler)(int));

/// For signal handlers: writes the words to stderr as they are.
void say(std::initializer_list<const char*> words);
/// The same: "block rig.sensor (mine/Sensor) in output", or the plugin and what it does while it is loaded.
void say_who(const RunningCode& code);

} // namespace hilda::cli
