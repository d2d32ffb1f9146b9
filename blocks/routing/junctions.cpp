// SPDX-License-Identifier: BSD-3-Clause
#include <hilda/block.h>

// Blocks that are pieces of wire: the engine takes them out when it flattens a diagram, whatever their signals are, and
// calls none of their functions. Their declarations here serve readers and schemas.

namespace {
using namespace hilda;

struct Goto : Block {
  Input<Elements<>> u{*this, "u", "*s", "@u", "Signal of any kind, or a bus", optional};
  Parameter<Text> tag{*this, "tag", "Name of the signal, known in the diagram or subsystem that contains this block"};
};
HILDA_BLOCK(Goto, "Gives a signal a name by which each routing/From of the same diagram or subsystem takes it: a wire "
                  "that is not drawn. A tag has one Goto.")

struct From : Block {
  Output<Elements<>> y{*this, "y", "*s", "@y", "What the routing/Goto of this tag takes"};
  Parameter<Text> tag{*this, "tag", "Name of the signal, as a routing/Goto of the same diagram or subsystem says it"};
  void output(const Tick&) override { (*y).setZero(); }
};
HILDA_BLOCK(From, "Takes the signal to which a routing/Goto of the same diagram or subsystem gives a name.")

struct Bundle : Block {
  Output<Elements<>> bus{*this, "bus", "*s", "@y", "All of them; bus.NAME is one"};
  Parameter<Text> parts{*this, "parts", "Names of its inputs, such as \"position velocity force\""};
  void output(const Tick&) override { (*bus).setZero(); }
};
HILDA_BLOCK(Bundle, "Puts signals of different units and shapes together to a bus, which travels as one wire, through "
                    "ports of subsystems too. Its inputs have the names that `parts` says; a part may be a bus. It "
                    "vanishes when the diagram is flattened: no block sees a bus.")

struct Unbundle : Block {
  Input<Elements<>> bus{*this, "bus", "*s", "@u", "What a routing/Bundle has put together", optional};
};
HILDA_BLOCK(Unbundle, "Takes a bus apart: its outputs have the names of the bus's parts.")

struct DataStoreRead : Block {
  Output<Elements<>> y{*this, "y", "*s", "@y", "What the store holds"};
  Parameter<Text> store{*this, "store", "Name of a routing/DataStore of the same diagram, or of one around it"};
  void output(const Tick&) override { (*y).setZero(); }
};
HILDA_BLOCK(DataStoreRead, "Reads a routing/DataStore: a wire from it, out of any subsystem in which it is known.")
} // namespace
