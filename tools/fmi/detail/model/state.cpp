// SPDX-License-Identifier: BSD-3-Clause
#include "tools/fmi/detail/model/instance.h"

#include "engine/base/characters.h"
#include "engine/base/fnv.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <utility>

namespace hilda::fmi {
namespace {

class StateWriter {
public:
  void number(std::uint64_t value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void text(std::string_view text) {
    number(text.size());
    bytes_ += text;
  }
  std::string take() { return std::move(bytes_); }

private:
  std::string bytes_;
};

Refused damaged(const std::string& why) {
  return refusal("fmi-state", "the serialized state is damaged: " + why, "give the bytes as Serialize wrote them");
}

class StateReader {
public:
  explicit StateReader(std::string_view bytes) : rest_(bytes) {}
  std::uint64_t number() {
    std::uint64_t value = 0;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string_view text() { return take(number()); }
  std::size_t rest() const { return rest_.size(); }

private:
  std::string_view take(std::uint64_t count) {
    if (count > rest_.size()) throw damaged(fmt::format("{} bytes are needed and {} are left", count, rest_.size()));
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  std::string_view rest_;
};

constexpr std::uint64_t state_format = 0x32'74'61'74'73'68ULL; // "hstat2"

std::uint64_t checksum_of(std::string_view bytes) { return Fnv().text(bytes).value(); }

} // namespace

std::string State::packed() const {
  StateWriter writer;
  writer.number(state_format);
  writer.text(token);
  writer.number(phase);
  writer.number(std::bit_cast<std::uint64_t>(start));
  writer.number(settings.size());
  for (const auto& [reference, text] : settings) writer.number(reference), writer.text(text);
  writer.number(numbers.size());
  for (const std::uint64_t number : numbers) writer.number(number);
  const std::vector<unsigned char> bytes = checkpoint.packed();
  writer.text({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  std::string all = writer.take();
  StateWriter sum;
  sum.number(checksum_of(all));
  return all + sum.take();
}

State State::unpacked(std::string_view bytes) {
  StateReader reader(bytes);
  if (reader.number() != state_format)
    throw refusal("fmi-state", fmt::format("these {} bytes are not a state that hilda has serialized", bytes.size()),
                  "give the bytes as Serialize wrote them, of an FMU of this version of hilda");
  constexpr std::size_t sum = sizeof(std::uint64_t);
  if (bytes.size() < 2 * sum ||
      StateReader(bytes.substr(bytes.size() - sum)).number() != checksum_of(bytes.substr(0, bytes.size() - sum)))
    throw damaged(fmt::format("the checksum of its {} bytes does not match", bytes.size()));
  State state;
  state.token = reader.text();
  state.phase = static_cast<std::uint8_t>(reader.number());
  state.start = std::bit_cast<double>(reader.number());
  for (std::uint64_t left = reader.number(); left > 0; --left) {
    const auto reference = static_cast<std::uint32_t>(reader.number());
    state.settings[reference] = reader.text();
  }
  for (std::uint64_t left = reader.number(); left > 0; --left) state.numbers.push_back(reader.number());
  std::optional<Checkpoint> checkpoint = Checkpoint::unpacked(reader.text());
  if (!checkpoint || !checkpoint->intact()) throw damaged("its checkpoint is not intact");
  const auto readable = [](const std::string& text) { return first_bad_byte(text) == std::string_view::npos; };
  bool fits = reader.rest() == sum && state.phase <= 3 && std::isfinite(state.start) && readable(state.token);
  for (const auto& [reference, text] : state.settings) fits = fits && readable(text);
  if (!fits) throw damaged("its parts do not fit");
  state.checkpoint = std::move(*checkpoint);
  return state;
}

} // namespace hilda::fmi
