// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/runtime.h"

#include <string>
#include <vector>

namespace hilda::analysis {

/// Something that a block does although its declaration says otherwise.
struct AuditFinding {
  enum class Kind {
    reads_input,      ///< an input that does not feed through, in output; any input, in state_output
    writes_state,     ///< in output or state_output
    unrepeatable,     ///< the same call on the same state and inputs gives another output
    hidden_memory,    ///< a fresh instance with the same state goes another way
    writes_beyond,    ///< its own memory: found by the fences around it, as soon as it has
    changes_process,  ///< what belongs to the whole process: signals, timers, folder, locale, streams
    nameless_verdict, ///< ends the run and does not say which block it is, or by a verdict that there is not
    writes_parameter, ///< which the diagram decides
    written_into      ///< the fence was whole after its own last call: another block did that
  };
  Kind kind{};
  std::string block; ///< path
  std::string type;  ///< "contact/PhaseLead"
  std::string phase; ///< "output"
  std::string slot;  ///< the input, state or output that showed it; of a changed process what it was, in words
  std::int64_t tick = 0;
  double time = 0; ///< s

  std::string text() const;
};

struct AuditResult {
  std::vector<AuditFinding> findings;    ///< each block and slot once
  std::vector<std::string> not_compared; ///< blocks whose state cannot be copied: no fresh instances were compared
  Ending ending;                         ///< how the run ended, if not by its duration
  std::int64_t steps = 0, calls = 0;     ///< ticks; calls of output and state_output that were proved
};

/// Runs a system in simulation and proves in every tick what its blocks declare.
///
/// In each call of state_output, output and prime, the inputs that the phase may not read point at memory that cannot
/// be read. Each output is called twice: state and outputs must be the same after both. Next to it a second instance of
/// the whole system runs in the ordinary way, and is constructed again and again from the state of the first: data that
/// is not in a slot starts afresh in it, and both must agree in every bit.
AuditResult audit(const System& system, double duration, Diagnostics& diagnostics);

} // namespace hilda::analysis
