// SPDX-License-Identifier: BSD-3-Clause
// Writes behind the end of its record or before its beginning, in the phase that a parameter names; and cuts the
// plugin's file while that is loaded.

#include <hilda/block.h>

#include <cstring>
#include <unistd.h>

namespace hilda::test {
namespace {

struct Overruns : Block {
  Input<double> u{*this, "u", "1", "Any"};
  Output<double> y{*this, "y", "1", "The same"};
  Parameter<std::int64_t> bytes{*this, "bytes", "So many behind it, or, below 0, before it", by_default("0")};
  Parameter<Text> in{*this, "in", "The phase in which it does", by_default("output")};
  Parameter<std::int64_t> at{*this, "at", "The tick in which it does, in the loop", by_default("3")};
  Parameter<Text> cuts{*this, "cuts", "A file that it cuts to nothing in that tick", by_default("")};

  void start(const Instance&) override { now("start"); }
  void stop() override { now("stop"); }
  void output(const Tick& t) override {
    y = *u;
    if (t.index() != *at) return;
    now("output");
    if (**cuts != '\0' && truncate(*cuts, 0) != 0) y = 0.0;
  }

private:
  void now(const char* phase) {
    if (std::strcmp(*in, phase) != 0) return;
    auto* const begin = reinterpret_cast<char*>(this);
    if (*bytes < 0) std::memset(begin + *bytes, 0x11, static_cast<std::size_t>(-*bytes));
    if (*bytes > 0) std::memset(begin + sizeof *this, 0x11, static_cast<std::size_t>(*bytes));
  }
};
HILDA_BLOCK(Overruns, "Writes into what is not its own, for tests.")

} // namespace
} // namespace hilda::test
