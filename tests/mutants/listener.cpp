// SPDX-License-Identifier: BSD-3-Clause
// Goes into every test program of a mutated copy: says after each test which mutants it came to.
#include "mutation.h"

#include <cstring>
#include <fstream>
#include <gtest/gtest.h>

namespace {

class Listener : public testing::EmptyTestEventListener {
  void OnTestStart(const testing::TestInfo&) override {
    if (unsigned char* reached = hilda_mutation::state().reached) std::memset(reached, 0, hilda_mutation::most);
  }
  void OnTestEnd(const testing::TestInfo& test) override {
    const unsigned char* reached = hilda_mutation::state().reached;
    const char* file = std::getenv("HILDA_MUTANTS_TESTS");
    if (reached == nullptr || file == nullptr) return;
    std::ofstream out(file, std::ios::app);
    out << test.test_suite_name() << '.' << test.name() << '\t' << test.result()->elapsed_time() << '\t'
        << (test.result()->Failed()    ? "failed"
            : test.result()->Skipped() ? "skipped"
                                       : "passed")
        << '\t';
    for (std::size_t id = 0; id < hilda_mutation::most; ++id)
      if (reached[id] != 0) out << id << ' ';
    out << '\n';
  }
};

const bool listening = (testing::UnitTest::GetInstance()->listeners().Append(new Listener), true);

} // namespace
