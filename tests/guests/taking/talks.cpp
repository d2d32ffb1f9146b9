// SPDX-License-Identifier: BSD-3-Clause
// Reports by the thousand, gives a summary of bytes that are not text, and has a stop without a start.

#include <hilda/block.h>

#include <cstdio>

namespace hilda::test {
namespace {

struct Talks : Block {
  Output<double> y{*this, "y", "1", "0"};
  Parameter<std::int64_t> reports{*this, "reports", "So many in configure", by_default("0")};
  Parameter<std::int64_t> same{*this, "same", "So many of the same words in configure", by_default("0")};
  Parameter<std::int64_t> warnings{*this, "warnings", "So many in configure", by_default("0")};
  Parameter<bool> garbage{*this, "garbage", "Its summary has keys and texts that are none", by_default("false")};

  Parameter<bool> twice{*this, "twice", "It gives a figure twice", by_default("false")};

  void configure(const Instance& self) override {
    for (std::int64_t i = 0; i < *reports; ++i) self.report("reports", "number " + std::to_string(i));
    for (std::int64_t i = 0; i < *same; ++i) self.report("reports", "again");
    for (std::int64_t i = 0; i < *warnings; ++i) self.warn("warnings", "number " + std::to_string(i));
  }
  void stop() override { std::fputs("it is stopped\n", stderr); }
  void output(const Tick&) override { y = 0.0; }
  void summarize(const Summary& summary) const override {
    summary.number("honest", 1.0);
    if (*twice) summary.number("honest", 2.0);
    if (!*garbage) return;
    summary.number("\xff\xfe\x01", 2.0);
    summary.text("said", "\xc3\x28");
  }
};
HILDA_BLOCK(Talks, "Says more than anyone reads, for tests.")

} // namespace
} // namespace hilda::test
