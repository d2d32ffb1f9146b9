// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_CHECKS_H
#define HILDA_TESTING_CHECKS_H

// Promises that every block makes, whatever it computes: one function for each, which runs the block and tries to find
// it out.

#include <hilda/testing/finding.h>
#include <hilda/testing/forbidden.h>

namespace hilda::testing::detail {

/// Abilities are asked for by name: to a name that it does not know, a block answers null.
inline Outcome check_extensions(const Subject& subject) {
  const auto ask = subject.type->table().extension;
  if (ask == nullptr) return not_applicable("it has no extensions");
  for (const char* unknown : {"", "hilda.", "hilda.energy", "hilda.energy/0", "hilda.unheard_of/1", "energy/1"})
    if (ask(unknown) != nullptr) return failed("answers to " + quoted(unknown) + ", an extension that there is not");
  for (const char* name :
       {"hilda.summary/1", "hilda.energy/1", "hilda.state/1", "hilda.clock/1", "hilda.actuation/1", "hilda.past/1"}) {
    const auto* size = static_cast<const std::uint32_t*>(ask(name));
    if (size != nullptr && *size < sizeof(hilda_energy_1))
      return failed("its table of " + quoted(name) + " says that it has " + std::to_string(*size) + " bytes");
  }
  return passed();
}

/// Numbers in, numbers out.
inline Outcome check_numbers(const Subject& subject) {
  Bench bench(*subject.type, subject.setup);
  for (std::int64_t tick = 0; tick < subject.ticks && bench.verdict() == HILDA_GO; ++tick) {
    drive(bench, subject.stimulus);
    bench.compute();
    for (const Piece& piece : bench.pieces())
      if (piece.slot->role == HILDA_OUTPUT && piece.slot->element == HILDA_F64)
        for (const double number : Record::read(piece).numbers)
          if (std::isnan(number))
            return failed("the output " + quoted(piece.name()) + " is not a number" + at_tick(bench));
    bench.advance();
  }
  return passed();
}

/// Inputs that a phase may not read point at memory that cannot be read.
inline Outcome check_feedthrough(const Subject& subject) {
  Bench bench(*subject.type, subject.setup);
  const Forbidden forbidden;
  if (!forbidden.usable()) return not_applicable("the system has no address space to hide inputs in");
  std::string found;
  bool any = false;
  bench.surround([&](const char* phase, const std::function<void()>& body) {
    const std::string name = phase;
    std::vector<const Piece*> hidden;
    for (const Piece& piece : bench.pieces()) {
      if (piece.slot->role != HILDA_INPUT || piece.data == nullptr) continue;
      const bool may = name == "output"  ? bench.feeds_through(*piece.slot)
                       : name == "prime" ? has(*piece.slot, HILDA_PRIMES)
                                         : name != "state_output";
      if (!may) hidden.push_back(&piece);
    }
    any = any || !hidden.empty();
    for (std::size_t i = 0; i < hidden.size(); ++i) bench.memory().redirect(*hidden[i], forbidden.place(i));
    const int touched = forbidden.call(body);
    for (const Piece* piece : hidden) bench.memory().redirect(*piece, piece->data);
    if (touched >= 0 && found.empty())
      found = "reads the input " + quoted(hidden[static_cast<std::size_t>(touched)]->name()) + " in " + name +
              at_tick(bench) + ", which it does not declare";
  });
  for (std::int64_t tick = 0; tick < subject.ticks && found.empty() && bench.verdict() == HILDA_GO; ++tick)
    drive(bench, subject.stimulus), bench.step();
  if (!found.empty()) return failed(found);
  return any ? passed() : not_applicable("all inputs, if any, feed through");
}

/// Outputs leave the state alone and may be computed twice.
inline Outcome check_pure_outputs(const Subject& subject) {
  const hilda_block_type& table = subject.type->table();
  if (table.output == nullptr && table.state_output == nullptr)
    return not_applicable("there are no outputs to compute");
  Bench bench(*subject.type, subject.setup);
  std::string found;
  bench.surround([&](const char* phase, const std::function<void()>& body) {
    const std::string name = phase;
    if ((name != "output" && name != "state_output") || !found.empty()) return body();
    const auto state = bytes_of(bench, HILDA_STATE);
    body();
    const auto outputs = bytes_of(bench, HILDA_OUTPUT);
    body();
    if (bytes_of(bench, HILDA_STATE) != state)
      found = name + " changes the state" + at_tick(bench) + "; only update may";
    else if (bytes_of(bench, HILDA_OUTPUT) != outputs)
      found = name + " gives other outputs when it is called twice" + at_tick(bench);
  });
  run(bench, subject, subject.ticks);
  return found.empty() ? passed() : failed(found);
}

/// Two instances of one setup give the same bits.
inline Outcome check_determinism(const Subject& subject) {
  Bench first(*subject.type, subject.setup);
  run(first, subject, subject.ticks);
  Bench second(*subject.type, subject.setup), third(*subject.type, subject.setup);
  const std::string differs = compare(second, third, subject, subject.ticks);
  if (!differs.empty()) return failed("two instances run side by side: " + differs);
  for (const hilda_role role : {HILDA_OUTPUT, HILDA_STATE})
    if (const std::string name = difference(first, second, role); !name.empty())
      return failed(quoted(name) + " is another one in a second run");
  return passed();
}

/// After a reset it continues as if it began there.
inline Outcome check_reset(const Subject& subject) {
  if ((subject.type->table().flags & HILDA_EXTERNAL_STATE) != 0) return not_applicable("its state lies elsewhere");
  const std::int64_t half = subject.ticks / 2;
  Bench used(*subject.type, subject.setup), fresh(*subject.type, subject.setup);
  run(used, subject, half);
  if (used.verdict() != HILDA_GO) return not_applicable("it ends the run at once: " + used.verdict_text());
  used.reset();
  fresh.set_tick(used.tick());
  if (const std::string name = difference(used, fresh, HILDA_STATE); !name.empty())
    return failed("a reset leaves another state " + quoted(name) + " than a start does");
  const std::string differs = compare(used, fresh, subject, half);
  return differs.empty() ? passed() : failed("a reset block and a fresh one: " + differs);
}

/// A fresh instance continues from a checkpoint with the same bits, and so does the same one.
inline Outcome check_checkpoint(const Subject& subject) {
  const bool outside = (subject.type->table().flags & HILDA_EXTERNAL_STATE) != 0;
  if (outside && subject.type->extension<hilda_state_1>("hilda.state/1") == nullptr)
    return not_applicable("its state lies elsewhere, as it says, and cannot be saved");
  const std::int64_t half = subject.ticks / 2;
  Bench used(*subject.type, subject.setup), fresh(*subject.type, subject.setup), again(*subject.type, subject.setup);
  run(used, subject, half);
  if (used.verdict() != HILDA_GO) return not_applicable("it ends the run at once: " + used.verdict_text());
  const Checkpoint middle = used.checkpoint();
  fresh.restore(middle);
  std::string differs = compare(used, fresh, subject, half);
  if (!differs.empty())
    return failed("a fresh instance on a checkpoint: " + differs + "; it has memory that is not a state");
  used.restore(middle);
  again.restore(middle);
  differs = compare(used, again, subject, half);
  return differs.empty() ? passed()
                         : failed("gone back to a checkpoint: " + differs + "; it has memory that is not a state");
}

/// The output or state that holds the bytes of a fence, which no block computes: it was read from behind a piece of
/// memory. Empty where none does.
inline std::string holds_fence(const Bench& bench) {
  for (const Piece& piece : bench.pieces()) {
    if (piece.slot->role != HILDA_OUTPUT && piece.slot->role != HILDA_STATE) continue;
    if (piece.data == nullptr || element_size(*piece.slot) != sizeof Fenced::eight_marks) continue;
    for (std::size_t at = 0; at + sizeof Fenced::eight_marks <= piece.bytes(); at += sizeof Fenced::eight_marks)
      if (std::memcmp(static_cast<const char*>(piece.data) + at, &Fenced::eight_marks, sizeof Fenced::eight_marks) == 0)
        return piece.name();
  }
  return {};
}

/// Writes its own memory and nothing else, and reads what it has.
inline Outcome check_memory(const Subject& subject) {
  Bench bench(*subject.type, subject.setup);
  if (!bench.memory().memory().whole())
    return failed("its constructor, configure, prepare or initialize writes beyond its memory");
  if (!bench.keeps_parameters()) return failed("configure, prepare or initialize writes to a parameter");
  std::string found;
  bench.surround([&](const char* phase, const std::function<void()>& body) {
    const auto inputs = bytes_of(bench, HILDA_INPUT);
    body();
    if (!found.empty()) return;
    if (bytes_of(bench, HILDA_INPUT) != inputs) found = std::string(phase) + " writes to an input" + at_tick(bench);
    if (!bench.keeps_parameters()) found = std::string(phase) + " writes to a parameter" + at_tick(bench);
    if (!bench.memory().memory().whole())
      found = std::string(phase) + " writes beyond the end of its memory" + at_tick(bench);
    if (const std::string name = holds_fence(bench); !name.empty())
      found = std::string(phase) + " fills " + quoted(name) +
              " with what lies behind the end of an input, a state or a " + "parameter" + at_tick(bench);
  });
  run(bench, subject, subject.ticks);
  return found.empty() ? passed() : failed(found);
}

/// Prepare follows from parameters alone, so once more changes nothing.
inline Outcome check_prepare(const Subject& subject) {
  if (subject.type->table().prepare == nullptr) return not_applicable("it has no prepare");
  Bench plain(*subject.type, subject.setup), prepared(*subject.type, subject.setup);
  for (std::int64_t tick = 0; tick < subject.ticks && plain.verdict() == HILDA_GO; ++tick) {
    prepared.prepare();
    const std::string differs = compare(plain, prepared, subject, 1);
    if (!differs.empty()) return failed("after one more prepare with the same parameters " + differs);
  }
  return passed();
}

} // namespace hilda::testing::detail

#endif
