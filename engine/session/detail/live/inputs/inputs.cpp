// SPDX-License-Identifier: BSD-3-Clause
#include "engine/session/detail/live/inputs/inputs.h"

#include "engine/base/error.h"
#include "engine/log/event_message.h"
#include "engine/session/detail/live/inputs/rate.h"
#include "engine/session/find_input.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace hilda::session {
namespace {

/// Words that lie in a row, as those of most inputs do.
bool in_a_row(const Span& span) noexcept { return span.step == 1 && span.width() == sizeof(std::uint64_t); }

/// One word needs no call.
bool same_words(const void* a, const std::uint64_t* b, std::size_t count) noexcept {
  if (count != 1) return std::memcmp(a, b, count * sizeof *b) == 0;
  std::uint64_t word = 0;
  std::memcpy(&word, a, sizeof word);
  return word == *b;
}
void copy_words(void* to, const std::uint64_t* from, std::size_t count) noexcept {
  switch (count) { // sizes known to the compiler become plain moves
  case 1: std::memcpy(to, from, sizeof *from); break;
  case 2: std::memcpy(to, from, 2 * sizeof *from); break;
  case 3: std::memcpy(to, from, 3 * sizeof *from); break;
  default: std::memcpy(to, from, count * sizeof *from);
  }
}

std::byte* put_words(std::byte* to, const std::vector<std::uint64_t>& words) noexcept {
  copy_words(to, words.data(), words.size());
  return to + words.size() * sizeof(std::uint64_t);
}

} // namespace

std::shared_ptr<Input> Inputs::open(const std::string& path, Diagnostics& diagnostics, Location where) {
  if (std::shared_ptr<Input> there = find(path)) return there;
  std::optional<FoundInput> found = find_input(runtime_.system(), runtime_.memory(), path, diagnostics, where);
  if (!found) return nullptr;
  for (const InputTarget& target : found->targets)
    if (const Input* other = writer_of(target.parameter); other != nullptr) {
      diagnostics.error("input-shared", where,
                        in_quotes(path) + " and the input " + in_quotes(other->path()) + " write the same parameter",
                        "write " + in_quotes(other->path()));
      return nullptr;
    }
  std::shared_ptr<Input> made(new Input);
  made->path_ = path;
  made->unit_ = found->unit, made->range_ = found->range;
  made->rows_ = found->rows, made->cols_ = found->cols;
  made->element_ = found->element;
  made->least_ = found->least, made->most_ = found->most;
  made->rated_ = std::move(found->rated), made->rate_ = found->rate;
  made->targets_ = std::move(found->targets);
  made->index_ = all_.size();
  const std::size_t count = static_cast<std::size_t>(made->rows_) * static_cast<std::size_t>(made->cols_);
  made->staged_ = std::move(found->words);
  made->shown_ = std::make_unique<std::atomic<std::uint64_t>[]>(count);
  for (std::size_t i = 0; i < count; ++i) made->shown_[i].store(made->staged_[i], std::memory_order_relaxed);
  made->head_ = input_head(path, count);
  const std::size_t bytes = (made->head_.size() + count) * sizeof(std::uint64_t);
  if (bytes_ + bytes > largest_event) {
    diagnostics.error("live-size", where,
                      "all inputs together take " + std::to_string(bytes_ + bytes) + " bytes, and the log holds " +
                          std::to_string(largest_event) + " of one tick",
                      "write fewer numbers at once");
    return nullptr;
  }
  bytes_ += bytes;
  make_room();
  made->owner_.store(this, std::memory_order_release);
  all_.push_back(made);
  return made;
}

std::shared_ptr<Input> Inputs::find(std::string_view path) const {
  for (const auto& each : all_)
    if (each->path_ == path) return each;
  return nullptr;
}

void Inputs::remember() {
  remembers_ = true;
  if (!all_.empty()) past_.make_room();
}

void Inputs::make_room() {
  if (blocks_.empty()) {
    blocks_.resize(runtime_.system().blocks.size());
    prepares_.assign(blocks_.size(), 0);
  }
  if (remembers_) past_.make_room();
}

void Inputs::close() {
  for (const auto& each : all_) each->owner_.store(nullptr, std::memory_order_release);
}

Input* Inputs::writer_of(const BlockParameter& parameter) const {
  for (const auto& each : all_)
    for (const InputTarget& target : each->targets_)
      if (target.parameter == parameter) return each.get();
  return nullptr;
}

void Inputs::wait(Input& input) noexcept {
  if (input.waiting_) return;
  input.waiting_ = true;
  input.next_ = nullptr;
  (first_ == nullptr ? first_ : last_->next_) = &input;
  last_ = &input;
}

bool Inputs::differs(const Input& input) const noexcept {
  for (const InputTarget& target : input.targets_) {
    const Span& span = target.span;
    if (in_a_row(span)) {
      if (!same_words(span.data, input.staged_.data(), span.count)) return true;
      continue;
    }
    for (std::size_t i = 0; i < span.count; ++i) {
      std::uint64_t word = 0;
      std::memcpy(&word, span.at(i), span.width());
      if (word != input.staged_[i]) return true;
    }
  }
  return false;
}

void Inputs::store(Input& input) noexcept {
  for (const InputTarget& target : input.targets_) {
    const Span& span = target.span;
    if (in_a_row(span))
      copy_words(span.data, input.staged_.data(), span.count);
    else
      for (std::size_t i = 0; i < span.count; ++i) std::memcpy(span.at(i), &input.staged_[i], span.width());
    if (!target.prepares) continue;
    const BlockIndex block = target.parameter.block;
    unsigned char& noted = prepares_[block.number()];
    if (noted != 0) continue;
    noted = 1;
    blocks_[preparing_++] = block;
  }
}

/// For those who ask on other threads.
void Inputs::show(Input& input) noexcept {
  const std::uint64_t version = input.version_.load(std::memory_order_relaxed);
  input.version_.store(version + 1, std::memory_order_relaxed);
  for (std::size_t i = 0; i < input.staged_.size(); ++i)
    input.shown_[i].store(input.staged_[i], std::memory_order_release); // who sees it sees the version
  input.version_.store(version + 2, std::memory_order_release);
  if (input.since_.load(std::memory_order_relaxed) == Input::never)
    input.since_.store(runtime_.tick(), std::memory_order_relaxed);
}

void Inputs::prepare() noexcept {
  runtime_.changed({blocks_.data(), preparing_});
  for (std::size_t i = 0; i < preparing_; ++i) prepares_[blocks_[i].number()] = 0;
  preparing_ = 0;
}

bool Inputs::apply(Recorder* recorder, std::size_t texts_before) noexcept {
  if (first_ == nullptr) return true;
  Input** link = &first_;
  last_ = nullptr;
  for (Input* each = first_; each != nullptr; each = each->next_) {
    if (differs(*each)) {
      *link = each;
      link = &each->next_;
      last_ = each;
    } else {
      each->posts_taken_.store(each->posts_staged_, std::memory_order_release);
      each->waiting_ = false;
    }
  }
  *link = nullptr;
  if (first_ == nullptr) return true;
  if (recorder != nullptr && !note(*recorder)) return false;
  for (Input* each = first_; each != nullptr; each = each->next_) {
    store(*each);
    show(*each);
    past_.add(runtime_.tick(), texts_before, each->index_, each->staged_);
    each->moved_.store(runtime_.tick(), std::memory_order_relaxed);
    each->posts_taken_.store(each->posts_staged_, std::memory_order_release);
    each->waiting_ = false;
  }
  first_ = last_ = nullptr;
  prepare();
  return true;
}

/// As one event. False, and nothing is noted, where there is no room for it.
bool Inputs::note(Recorder& recorder) noexcept {
  std::size_t words = 0;
  for (const Input* each = first_; each != nullptr; each = each->next_) words += each->head_.size() + each->size();
  std::byte* to = recorder.begin_numbers(runtime_.tick(), words * sizeof(std::uint64_t));
  if (to == nullptr) return false;
  for (const Input* each = first_; each != nullptr; each = each->next_) {
    to = put_words(to, each->head_);
    if (each->element_ == HILDA_F64)
      to = put_words(to, each->staged_);
    else
      for (const std::uint64_t word : each->staged_) {
        const double number = number_of(each->element_, word);
        std::memcpy(to, &number, sizeof number);
        to += sizeof number;
      }
  }
  recorder.end_numbers();
  return true;
}

void Inputs::look_again(const std::vector<Input*>& inputs) noexcept {
  for (Input* input : inputs) {
    if (!input->waiting_) read_words(input->targets_.front().span, input->staged_);
    const std::uint64_t version = input->version_.load(std::memory_order_relaxed);
    input->version_.store(version + 1, std::memory_order_relaxed);
    for (std::size_t i = 0; i < input->size(); ++i) {
      std::uint64_t word = 0;
      const Span& span = input->targets_.front().span;
      std::memcpy(&word, span.at(i), span.width());
      input->shown_[i].store(word, std::memory_order_release);
    }
    input->version_.store(version + 2, std::memory_order_release);
    input->since_.store(Input::never, std::memory_order_relaxed);
    input->moved_.store(runtime_.tick(), std::memory_order_relaxed);
  }
}

void Inputs::stage(Input& input, std::span<const double> numbers) noexcept {
  for (std::size_t i = 0; i < numbers.size(); ++i) input.staged_[i] = word_of(input.element_, numbers[i]);
  wait(input);
}

bool Inputs::stage(Input& input, std::size_t first, std::span<const std::uint64_t> words) noexcept {
  if (first > input.size() || words.size() > input.size() - first) return false;
  for (const std::uint64_t word : words) {
    const double number = number_of(input.element_, word);
    if (!(number >= input.least_ && number <= input.most_)) return false;
  }
  std::copy(words.begin(), words.end(), input.staged_.begin() + static_cast<std::ptrdiff_t>(first));
  wait(input);
  return true;
}

void Inputs::pack(std::span<const InputNumbers> numbers, std::vector<std::byte>& bytes) {
  const auto append = [&bytes](const auto& value) {
    const auto from = std::as_bytes(std::span(&value, 1));
    bytes.insert(bytes.end(), from.begin(), from.end());
  };
  for (const InputNumbers& each : numbers) {
    append(each.input);
    for (const double number : each.numbers) append(word_of(each.input->element_, number));
  }
}

void Inputs::stage(std::span<const std::byte> packed) noexcept {
  while (!packed.empty()) {
    Input* input = nullptr;
    std::memcpy(&input, packed.data(), sizeof(std::uintptr_t));
    packed = packed.subspan(sizeof(std::uintptr_t));
    const std::size_t bytes = input->size() * sizeof(std::uint64_t);
    std::memcpy(input->staged_.data(), packed.data(), bytes);
    packed = packed.subspan(bytes);
    ++input->posts_staged_;
    wait(*input);
  }
}

bool Inputs::unsettled(const Input& input) noexcept {
  return input.version_.load(std::memory_order_acquire) != input.settled_ &&
         input.since_.load(std::memory_order_relaxed) != Input::never;
}

namespace {

/// How far a parameter with a rate may move at once that moved last before tick `moved`.
double most_at_once(double rate, std::int64_t moved, std::int64_t now, double base) noexcept {
  const double still = static_cast<double>(std::max<std::int64_t>(now - std::max<std::int64_t>(moved, 0), 0)) * base;
  return rate * (moved < 0 ? longest_still : std::min(still, longest_still)) * (1 + rate_slack);
}

} // namespace

bool Inputs::within_rate(const Input& input, std::span<const double> numbers) const noexcept {
  std::int64_t moved = input.moved_.load(std::memory_order_relaxed);
  if (moved > runtime_.tick()) moved = Input::never; // in another past
  const double most = most_at_once(input.rate_, moved, runtime_.tick(), base_);
  const Span& span = input.targets_.front().span;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::uint64_t word = 0;
    std::memcpy(&word, span.at(i), span.width());
    if (!(std::abs(numbers[i] - number_of(input.element_, word)) <= most)) return false;
  }
  return true;
}

bool Inputs::within_rate(const Input& input, std::span<const double> numbers, std::int64_t now, bool waits) const {
  const bool posted = input.posts_taken_.load(std::memory_order_acquire) != input.posts_;
  std::vector<std::uint64_t> words(input.size());
  read_shown(input, words);
  const std::int64_t moved = input.moved_.load(std::memory_order_relaxed); // later than `now` where the loop runs
  const double most = waits || posted ? 0 : most_at_once(input.rate_, moved, now, base_);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (!(std::abs(numbers[i] - number_of(input.element_, words[i])) <= most)) return false;
  return true;
}

void Inputs::forget_moves() noexcept {
  for (const auto& each : all_)
    if (each->moved_.load(std::memory_order_relaxed) > runtime_.tick())
      each->moved_.store(Input::never, std::memory_order_relaxed);
}

std::int64_t Inputs::moved(const std::string& rated) const noexcept {
  std::int64_t last = Input::never;
  for (const auto& each : all_)
    if (std::find(each->rated_.begin(), each->rated_.end(), rated) != each->rated_.end())
      last = std::max(last, each->moved_.load(std::memory_order_relaxed));
  return last;
}

/// The numbers that the loop took last, as one whole, and their version.
std::uint64_t Inputs::read_shown(const Input& input, std::span<std::uint64_t> words) noexcept {
  std::uint64_t before = 0, after = 1;
  while (before != after || before % 2 != 0) {
    before = input.version_.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = input.shown_[i].load(std::memory_order_acquire);
    after = input.version_.load(std::memory_order_relaxed);
  }
  return before;
}

std::string Inputs::text(Input& input, std::int64_t& since) {
  std::vector<std::uint64_t> words(input.size());
  input.settled_ = read_shown(input, words);
  since = input.since_.exchange(Input::never, std::memory_order_relaxed);
  return setting_text(input.rows_, input.cols_, input.element_, input.unit_, words);
}

std::vector<std::uint64_t> Inputs::snapshot() const {
  std::vector<std::uint64_t> all;
  for (const auto& each : all_) {
    const std::size_t begin = all.size();
    all.resize(begin + each->size());
    read_words(each->targets_.front().span, std::span(all).subspan(begin));
  }
  return all;
}

void Inputs::put(const std::vector<std::uint64_t>& snapshot) noexcept {
  first_ = last_ = nullptr;
  for (const auto& each : all_) each->waiting_ = false;
  forget_moves();
  std::size_t at = 0;
  bool any = false;
  for (const auto& each : all_) {
    if (snapshot.size() - at < each->size()) break;
    std::copy_n(snapshot.begin() + static_cast<std::ptrdiff_t>(at), each->size(), each->staged_.begin());
    at += each->size();
    if (!differs(*each)) continue;
    store(*each);
    show(*each);
    any = true;
  }
  if (any) prepare();
}

} // namespace hilda::session
