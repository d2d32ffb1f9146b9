// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/per_element.h>

namespace {
using namespace hilda;

struct DataStore : Block {
  Input<Elements<>> u{*this,    "u", "*s", "@u", "Value to write, from its diagram or by a routing/DataStoreWrite",
                      in_update};
  Input<bool> written{*this, "written", "Has anything been written? A routing/DataStoreWrite says so", optional,
                      in_update};
  Output<Elements<>> y{*this, "y", "*s", "@u", "What it holds", from_state};
  PerElement<Dynamic> initial{*this, "initial", "@u",
                              "What it holds until something has been written: one number, or one for each element",
                              by_default("0")};
  State<Elements<>> held{*this, "held", "*s", "@u", "The value"};

  void configure(const Instance& self) override { initial.check(self, u.rows(), u.cols()); }
  void initialize(const Instance&) override {
    auto state = *held;
    for (Eigen::Index i = 0; i < state.size(); ++i) state[i] = initial[i];
  }
  void state_output(const Tick&) override { y = *held; }
  void update(const Tick&) override {
    if (written.value_or(true)) held = *u;
  }
};

HILDA_BLOCK(DataStore,
            "A value that is known in its diagram and in all subsystems within: each routing/DataStoreRead gives what "
            "was written in the tick before, whichever is first in the file, so a loop may close over it. It has "
            "one writer; while that is disabled the last value holds.")

/// While what it is in is disabled its outputs hold, and are false and 0 before it has run.
struct DataStoreWrite : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "What the store is to hold from the next tick on"};
  Output<Elements<>> y{*this, "y", "*s", "@u", "The same; the store takes it from here"};
  Output<bool> written{*this, "written", "True: it has run"};
  Parameter<Text> store{*this, "store", "Name of a routing/DataStore of the same diagram, or of one around it"};

  void output(const Tick&) override {
    y = *u;
    written = true;
  }
};

HILDA_BLOCK(DataStoreWrite, "Writes a routing/DataStore, out of any subsystem in which that is known. A store has one "
                            "writer; where this one does not run nothing is written.")
} // namespace
