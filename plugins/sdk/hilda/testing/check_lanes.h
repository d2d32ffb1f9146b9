// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TESTING_CHECK_LANES_H
#define HILDA_TESTING_CHECK_LANES_H

// The functions for blocks whose records lie in one another do what those for one do.

#include <hilda/lanes.h>
#include <hilda/testing/finding.h>

namespace hilda::testing::detail {

/// A group of blocks, each in separate memory: for a call their records are put into one another, and taken apart
/// again behind it.
class Group {
public:
  using Many = void (*)(void*, std::uint64_t, std::uint64_t, const hilda_tick*);

  /// `in_one_step`: output and update at once, when the state outputs of all are there.
  Group(const Subject& subject, const hilda_lanes_1& lanes, bool in_one_step)
      : lanes_(lanes), in_one_step_(in_one_step), size_(subject.type->table().record_size),
        together_(size_ / cell + line) {
    while (reinterpret_cast<std::uintptr_t>(&together_[first_]) % (line * cell) != 0) ++first_;
    for (std::uint32_t i = 0; i < lanes.width; ++i)
      benches_.push_back(std::make_unique<Bench>(*subject.type, subject.setup));
    const Bench* const caller = in_one_step ? benches_.back().get() : benches_.front().get();
    for (const auto& each : benches_)
      each->surround([this, caller, bench = each.get()](const char* phase, const std::function<void()>& body) {
        const Many function = taken(phase, bench->tick());
        if (function == nullptr && !(in_one_step_ && std::string(phase) == "update" && bench->tick() > 0))
          return body();
        if (function != nullptr && bench == caller) call(function, bench->now());
      });
  }
  Bench& operator[](std::size_t lane) { return *benches_[lane]; }
  std::size_t size() const { return benches_.size(); }

private:
  static constexpr std::size_t cell = 8, line = 8;

  // The first tick is left to the functions for one: prime comes before the outputs of all.
  Many taken(const std::string& phase, std::int64_t tick) const {
    if (tick == 0) return nullptr;
    if (in_one_step_) return phase == "output" ? lanes_.step : nullptr;
    return phase == "state_output" ? lanes_.state_output
           : phase == "output"     ? lanes_.output
           : phase == "update"     ? lanes_.update
                                   : nullptr;
  }
  void call(Many function, const hilda_tick& now) {
    move(true);
    function(&together_[first_], size_, 1, &now);
    move(false);
  }
  void move(bool in) {
    for (std::size_t lane = 0; lane < benches_.size(); ++lane)
      for (std::size_t at = 0; at < size_; at += cell * benches_.size()) {
        char* const alone = static_cast<char*>(benches_[lane]->record()) + at;
        void* const among = &together_[first_ + at / cell + lane];
        std::memcpy(in ? among : alone, in ? alone : among, cell);
      }
  }

  const hilda_lanes_1& lanes_;
  bool in_one_step_;
  std::uint64_t size_;
  std::vector<std::uint64_t> together_;
  std::size_t first_ = 0; ///< where a line of the cache begins
  std::vector<std::unique_ptr<Bench>> benches_;
};

constexpr unsigned char untouched = 0xA5;

/// Calls `act` with the room for other lanes that a record has behind each of its cells, and its size.
template <typename Act> void rooms(const Bench& bench, std::uint32_t width, Act&& act) {
  constexpr std::size_t cell = 8;
  const std::uint64_t size = bench.type().table().record_size;
  for (std::uint64_t at = 0; at < size; at += cell * width)
    act(static_cast<unsigned char*>(bench.record()) + at + cell, cell * (width - 1));
}

/// A function for one that writes where the numbers of another lane are; empty where none does.
inline std::string find_in_rooms(const Subject& subject, std::uint32_t width) {
  Bench bench(*subject.type, subject.setup);
  rooms(bench, width, [](unsigned char* room, std::size_t bytes) { std::memset(room, untouched, bytes); });
  bench.reset();
  for (const Piece& piece : bench.pieces())
    if (piece.slot->role == HILDA_PARAMETER && piece.slot->element == HILDA_F64 && has(*piece.slot, HILDA_LIVE))
      bench.set(piece.name(), bench.get(piece.name())); // and prepare
  run(bench, subject, subject.ticks);
  bool whole = true;
  rooms(bench, width, [&whole](const unsigned char* room, std::size_t bytes) {
    whole = whole && std::all_of(room, room + bytes, [](unsigned char each) { return each == untouched; });
  });
  return whole ? "" : "a function for one record writes where the numbers of another lane would be";
}

/// Every lane gets different inputs, so that lanes that are mixed up are found.
inline std::string compare_lanes(const Subject& subject, const hilda_lanes_1& lanes, bool in_one_step) {
  Group group(subject, lanes, in_one_step);
  std::vector<std::unique_ptr<Bench>> alone;
  for (std::size_t i = 0; i < group.size(); ++i) alone.push_back(std::make_unique<Bench>(*subject.type, subject.setup));
  const auto all = [&](const auto& act) {
    for (std::size_t i = 0; i < group.size(); ++i) act(group[i], i), act(*alone[i], i);
  };
  const auto differs = [&](std::uint32_t role, const char* what) -> std::string {
    for (std::size_t i = 0; i < group.size(); ++i)
      if (const std::string name = difference(group[i], *alone[i], role); !name.empty())
        return std::string(what) + quoted(name) + " of lane " + std::to_string(i) + " is another one" +
               at_tick(group[i]);
    return {};
  };
  for (std::int64_t tick = 0; tick < subject.ticks && alone.front()->verdict() == HILDA_GO; ++tick) {
    all([&](Bench& bench, std::size_t i) {
      const auto apart = static_cast<std::int64_t>(7 * i);
      drive(bench, [&](const Piece& input, std::int64_t at, std::vector<double>& numbers) {
        subject.stimulus(input, at + apart, numbers);
      });
    });
    all([](Bench& bench, std::size_t) { bench.compute(); });
    if (std::string found = differs(HILDA_OUTPUT, "the output "); !found.empty()) return found;
    all([](Bench& bench, std::size_t) { bench.advance(); });
    if (std::string found = differs(HILDA_STATE, "the state "); !found.empty()) return found;
  }
  return {};
}

/// Empty where the type has no such functions, too.
inline std::string check_lanes(const Subject& subject) {
  const auto* lanes = subject.type->extension<hilda_lanes_1>("hilda.lanes/1");
  if (lanes == nullptr || lanes->size < sizeof *lanes) return {};
  if (lanes->width < 2 || lanes->width > 8 || subject.type->table().record_size % (std::size_t{8} * lanes->width) != 0)
    return "its lanes do not fit its record";
  if (std::string written = find_in_rooms(subject, lanes->width); !written.empty()) return written;
  if (lanes->state_output != nullptr || lanes->output != nullptr || lanes->update != nullptr)
    if (std::string differs = compare_lanes(subject, *lanes, false); !differs.empty())
      return "by the functions for lanes " + differs;
  if (lanes->step == nullptr) return {};
  const std::string differs = compare_lanes(subject, *lanes, true);
  return differs.empty() ? "" : "by step of its lanes " + differs;
}

} // namespace hilda::testing::detail

#endif
