// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_FINDING_H
#define HILDA_TESTING_FINDING_H

// What a check comes to, and the runs that all checks are made of.

#include <hilda/testing/stimulus.h>

namespace hilda::testing {

enum class Verdict { passed, failed, not_applicable };

/// One check of one block.
struct Finding {
  std::string block, check;
  Verdict verdict = Verdict::passed;
  std::string why; ///< of a failure, or why the check says nothing
  std::string text() const {
    const char* what = verdict == Verdict::passed ? ": ok" : verdict == Verdict::failed ? ": FAILED: " : ": n/a: ";
    return block + ": " + check + what + why;
  }
};

/// A block with what it needs to be checked.
struct Subject {
  const Type* type = nullptr;
  Setup setup;
  Stimulus stimulus = lively;
  std::int64_t ticks = 120;
  /// Is this text, with which the block ends a run, that of a fault in its code? Of none where it is empty.
  std::function<bool(const std::string& text)> is_fault = {};
};

namespace detail {

struct Outcome {
  Verdict verdict = Verdict::passed;
  std::string why;
};
inline Outcome passed() { return {}; }
inline Outcome failed(std::string why) { return {Verdict::failed, std::move(why)}; }
inline Outcome not_applicable(std::string why) { return {Verdict::not_applicable, std::move(why)}; }

/// The pieces of some role, as bytes.
inline std::vector<unsigned char> bytes_of(const Bench& bench, std::uint32_t role) {
  std::vector<unsigned char> bytes;
  for (const Piece& piece : bench.pieces()) {
    if (piece.slot->role != role || piece.data == nullptr) continue;
    const auto* from = static_cast<const unsigned char*>(piece.data);
    bytes.insert(bytes.end(), from, from + piece.bytes());
    if (piece.ring == nullptr) continue;
    const auto* head = reinterpret_cast<const unsigned char*>(&piece.ring->head);
    bytes.insert(bytes.end(), head, head + sizeof piece.ring->head);
  }
  return bytes;
}

/// The first piece of that role in which two instances of one setup differ; empty where they agree in every bit.
inline std::string difference(const Bench& a, const Bench& b, std::uint32_t role) {
  for (std::size_t i = 0; i < a.pieces().size(); ++i) {
    const Piece &left = a.pieces()[i], &right = b.pieces()[i];
    if (left.slot->role != role || left.data == nullptr) continue;
    const bool heads = left.ring == nullptr || left.ring->head == right.ring->head;
    if (heads && left.bytes() == right.bytes() &&
        (left.bytes() == 0 || std::memcmp(left.data, right.data, left.bytes()) == 0))
      continue;
    return left.name();
  }
  return {};
}

inline std::string quoted(const std::string& name) { return "'" + name + "'"; }
inline std::string at_tick(const Bench& bench) { return " at tick " + std::to_string(bench.tick()); }

/// Drives both for some ticks and says how they come to differ; empty where they never do.
inline std::string compare(Bench& a, Bench& b, const Subject& subject, std::int64_t ticks) {
  for (; ticks > 0; --ticks) {
    drive(a, subject.stimulus), drive(b, subject.stimulus);
    a.compute(), b.compute();
    if (const std::string name = difference(a, b, HILDA_OUTPUT); !name.empty())
      return "the output " + quoted(name) + " differs" + at_tick(a);
    a.fire_all(), b.fire_all();
    a.advance(), b.advance();
    if (const std::string name = difference(a, b, HILDA_STATE); !name.empty())
      return "the state " + quoted(name) + " differs" + at_tick(a);
    if (a.verdict() != b.verdict()) return "one of the two ends the run" + at_tick(a);
    if (a.verdict() != HILDA_GO) break;
  }
  return {};
}

inline void run(Bench& bench, const Subject& subject, std::int64_t ticks) {
  for (; ticks > 0 && bench.verdict() == HILDA_GO; --ticks) {
    drive(bench, subject.stimulus);
    bench.compute();
    bench.fire_all();
    bench.advance();
  }
}

} // namespace detail
} // namespace hilda::testing

#endif
