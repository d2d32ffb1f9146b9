// SPDX-License-Identifier: BSD-3-Clause
#include "engine/log/detail/mcap/mcap_reader.h"

#include "engine/base/budget.h"
#include "engine/base/error.h"
#include "engine/base/near_file.h"
#include "engine/log/detail/mcap/lz4_frame.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <set>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace hilda::log::mcap {
namespace {

constexpr std::size_t most_problems = 100;
constexpr std::size_t window_bytes = 1 << 16;

std::optional<ChannelRecord> channel_from(RecordView content) {
  ChannelRecord channel;
  channel.id = content.number<std::uint16_t>();
  channel.schema = content.number<std::uint16_t>();
  channel.topic = content.text();
  channel.encoding = content.text();
  channel.metadata = content.map();
  if (!content.ok()) return std::nullopt;
  return channel;
}

/// Of what a reader takes.
bool of_use(Opcode opcode) {
  return opcode == Opcode::chunk || opcode == Opcode::message || opcode == Opcode::channel ||
         opcode == Opcode::metadata || opcode == Opcode::attachment;
}

/// In places in the order of a file.
bool holds(const std::vector<RecordPlace>& places, const RecordPlace& place) {
  const auto found = std::lower_bound(places.begin(), places.end(), place.offset,
                                      [](const RecordPlace& a, std::uint64_t offset) { return a.offset < offset; });
  return found != places.end() && *found == place;
}

} // namespace

Reader::~Reader() {
  if (file_ >= 0) ::close(file_);
}

Reader::Reader(Reader&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)), size_(other.size_), whole_(other.whole_),
      complete_(other.complete_), keep_damaged_(other.keep_damaged_), damaged_(other.damaged_),
      channels_(std::move(other.channels_)), metadata_(std::move(other.metadata_)),
      attachments_(std::move(other.attachments_)), data_(std::move(other.data_)), checksum_(std::move(other.checksum_)),
      data_end_(other.data_end_), data_checksum_(other.data_checksum_), checked_(other.checked_),
      problems_(std::move(other.problems_)), verified_(other.verified_) {}

std::optional<Reader> Reader::open(const std::string& path, std::string& error) {
  Reader reader;
  reader.path_ = path;
  reader.file_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat info {};
  if (reader.file_ < 0 || ::fstat(reader.file_, &info) != 0) {
    const int cause = errno;
    const std::string near = cause == ENOENT ? near_file(path, path) : std::string();
    error = path + ": the log cannot be read: " + std::system_category().message(cause) +
            (near.empty() ? "" : "; did you mean " + in_quotes(near) + "?");
    return std::nullopt;
  }
  if (!S_ISREG(info.st_mode)) {
    error = path + ": the log cannot be read: it is not a regular file";
    return std::nullopt;
  }
  reader.size_ = static_cast<std::uint64_t>(info.st_size);
  std::vector<std::byte> start;
  if (reader.size_ < magic.size() || !reader.read_at(0, magic.size(), start) ||
      std::memcmp(start.data(), magic.data(), magic.size()) != 0) {
    error = path + ": this is not a log of hilda: it does not begin as an MCAP file does";
    return std::nullopt;
  }
  const Summary summary = read_summary(reader.file_, reader.size_);
  const std::vector<Place> found = reader.scan(summary);
  reader.go_by(summary, found);
  return reader;
}

/// False where it is not there, or is more than memory allows: of a sparse file the size says nothing.
bool Reader::read_at(std::uint64_t offset, std::size_t bytes, std::vector<std::byte>& target) {
  if (budget().memory > 0 && bytes > budget().memory / 4) return false;
  return read_bytes(file_, offset, bytes, target);
}

void Reader::problem(std::uint64_t offset, const std::string& what) {
  problem("at byte " + std::to_string(offset) + ": " + what);
}

void Reader::problem(const std::string& what) {
  damaged_ = true;
  if (problems_.size() < most_problems) problems_.push_back(path_ + ": " + what);
}

/// The record that begins at `offset`; false where the file does not hold it whole.
bool Reader::read_head(std::uint64_t offset, Place& place) {
  if (size_ - offset < record_head) return false;
  if (offset < window_start_ || offset + record_head > window_start_ + window_.size()) {
    window_start_ = offset;
    const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(window_bytes, size_ - offset));
    if (!read_at(offset, bytes, window_)) return false;
  }
  RecordView head(
      std::span<const std::byte>(window_).subspan(static_cast<std::size_t>(offset - window_start_), record_head));
  place.opcode = static_cast<Opcode>(head.number<std::uint8_t>());
  place.bytes = head.number<std::uint64_t>();
  place.offset = offset + record_head;
  return place.opcode != Opcode{0} && place.bytes <= size_ - place.offset;
}

/// Walks over the records; gives those of the data that are of use.
std::vector<RecordPlace> Reader::scan(const Summary& summary) {
  const bool sound = summary.state == Summary::State::sound;
  const std::uint64_t limit = sound ? summary.start : size_; // records behind the begin of a sound summary are known
  std::vector<Place> found;
  whole_ = magic.size();
  bool in_data = true, footer = false;
  Place place{};
  while (!footer && whole_ < limit && read_head(whole_, place)) {
    if (in_data && of_use(place.opcode)) found.push_back(place);
    if (in_data && place.opcode == Opcode::data_end) {
      data_end_ = whole_;
      in_data = false;
    }
    whole_ = place.offset + place.bytes;
    footer = place.opcode == Opcode::footer;
  }
  window_ = {};
  judge_end(summary, in_data, footer);
  if (data_end_ > 0) data_checksum_ = data_checksum(file_, data_end_);
  return found;
}

/// After the records were walked over up to `whole_`.
void Reader::judge_end(const Summary& summary, bool in_data, bool footer) {
  if (summary.state == Summary::State::sound) {
    const std::uint64_t data_end = summary.start - data_end_bytes;
    if (in_data || data_end_ != data_end || whole_ != summary.start)
      problem(std::min(whole_, data_end), "the log is damaged here; the rest is found by its summary");
    data_end_ = data_end;
    complete_ = true;
    whole_ = size_;
    return;
  }
  std::vector<std::byte> end;
  const bool ends_whole = size_ >= 2 * magic.size() && read_at(size_ - magic.size(), magic.size(), end) &&
                          std::memcmp(end.data(), magic.data(), magic.size()) == 0;
  complete_ = footer && !in_data && ends_whole && size_ - whole_ == magic.size();
  const bool right = complete_ && summary.state == Summary::State::none;
  if (complete_) whole_ = size_;
  if (right) return;
  // a file that ends as a whole one does was not cut: a record in its middle is damaged
  const bool damaged = damaged_ || ends_whole || (footer && size_ - whole_ >= magic.size());
  problem(whole_, !in_data     ? "the log's summary is damaged; it is not needed"
                  : ends_whole ? "the log is damaged here; all before it is used"
                               : "the log ends here without its summary, as after a crash; all before it is used");
  damaged_ = damaged;
}

/// Takes what the walk has found; of a kind that a sound summary lists, what that lists.
void Reader::go_by(const Summary& summary, const std::vector<Place>& found) {
  const bool sound = summary.state == Summary::State::sound, walked_to_the_end = !damaged_;
  const auto lists = [&](Opcode opcode) {
    if (opcode == Opcode::message) opcode = Opcode::chunk;
    if (opcode == Opcode::channel) return sound && !summary.channels.empty();
    return sound && std::any_of(summary.places.begin(), summary.places.end(),
                                [opcode](const Place& place) { return place.opcode == opcode; });
  };
  std::array<bool, 256> listed{};
  for (const Opcode opcode : {Opcode::chunk, Opcode::message, Opcode::channel, Opcode::metadata, Opcode::attachment})
    listed[static_cast<std::size_t>(opcode)] = lists(opcode);
  if (sound) take_channels(summary, found);
  for (const Place& place : found) {
    if (!listed[static_cast<std::size_t>(place.opcode)])
      take(place);
    else if (place.opcode != Opcode::channel && !holds(summary.places, place))
      problem(place.offset, "a damaged record is left out");
  }
  if (!sound) return;
  for (const Place& place : summary.places) {
    if (walked_to_the_end && !holds(found, place))
      problem(place.offset, "the head of this part is damaged; the part is found by the log's summary");
    take(place);
  }
}

/// Those of the summary; where the data have another copy, or none, that is damaged.
void Reader::take_channels(const Summary& summary, const std::vector<Place>& found) {
  std::set<std::vector<std::byte>> copies;
  std::vector<std::byte> content;
  for (const Place& place : found)
    if (place.opcode == Opcode::channel && read_at(place.offset, static_cast<std::size_t>(place.bytes), content))
      copies.insert(content);
  for (const std::vector<std::byte>& record : summary.channels) {
    auto channel = channel_from(RecordView(record));
    if (!channel) continue;
    if (!copies.contains(record))
      problem("the description of the channel " + channel->topic + " is damaged; its copy in the summary is used");
    channels_.push_back(std::move(*channel));
  }
}

void Reader::take(const Place& place) {
  if (place.opcode == Opcode::chunk || place.opcode == Opcode::message) return data_.push_back(place);
  std::vector<std::byte> content;
  if (!read_at(place.offset, static_cast<std::size_t>(place.bytes), content))
    return problem(place.offset, "a record of " + std::to_string(place.bytes) + " bytes cannot be read");
  RecordView view(content);
  if (place.opcode == Opcode::channel) {
    if (auto channel = channel_from(view)) return channels_.push_back(std::move(*channel));
    problem(place.offset, "a channel that cannot be read is left out");
  } else if (place.opcode == Opcode::metadata) {
    MetadataRecord record{std::string(view.text()), view.map()};
    if (view.ok()) return metadata_.push_back(std::move(record));
    problem(place.offset, "metadata that cannot be read is left out");
  } else {
    take_attachment(content);
  }
}

void Reader::take_attachment(std::span<const std::byte> content) {
  RecordView view(content);
  view.raw(2 * sizeof(std::uint64_t));
  AttachmentRecord record;
  record.name = view.text();
  record.media_type = view.text();
  const auto data = view.raw(view.number<std::uint64_t>());
  const std::size_t covered = content.size() - view.left();
  const auto crc = view.number<std::uint32_t>();
  record.data.assign(reinterpret_cast<const char*>(data.data()), data.size());
  if (view.ok() && (crc == 0 || crc == crc32(content.first(covered)))) return attachments_.push_back(std::move(record));
  problem("the file \"" + record.name + "\" inside the log is damaged and left out");
}

bool Reader::load_chunk(const Place& place) {
  const bool first_time = next_place_ > verified_;
  verified_ = std::max(verified_, next_place_);
  const auto refuse = [&](const char* what) {
    if (first_time) problem(place.offset, what);
    return false;
  };
  if (!read_at(place.offset, static_cast<std::size_t>(place.bytes), chunk_)) return refuse("a part cannot be read");
  if (data_checksum_ != 0) checksum_.take(file_, place.offset, chunk_);
  if (place.opcode == Opcode::message) {
    records_ = RecordView(chunk_);
    return true;
  }
  RecordView view(chunk_);
  view.raw(2 * sizeof(std::uint64_t));
  const auto size = view.number<std::uint64_t>();
  const auto crc = view.number<std::uint32_t>();
  const std::string_view compression = view.text();
  auto records = view.raw(view.number<std::uint64_t>());
  if (!view.ok()) return refuse("a damaged part of the log is left out");
  if (compression == lz4_compression) {
    if (budget().memory > 0 && size > budget().memory / 4) return refuse("a part cannot be read");
    if (!unpack_lz4(records, size, unpacked_)) {
      if (!keep_damaged_) return refuse("a damaged part of the log (its compression) is left out");
      refuse("a part of the log is damaged (its compression)");
    }
    records = unpacked_;
  } else if (!compression.empty()) {
    return refuse("a part is left out: it is compressed in another way than by LZ4");
  }
  if (crc != 0 && crc != crc32(records)) {
    if (!keep_damaged_) return refuse("a damaged part of the log (checksum) is left out");
    refuse("a part of the log is damaged (checksum)");
  }
  records_ = RecordView(records);
  return true;
}

/// Is what the file says of all its data right?
bool Reader::checksum_fits() {
  return data_checksum_ != 0 && checksum_.up_to(file_, data_end_) && checksum_.value() == data_checksum_;
}

/// After every part was looked at: what no checksum of a part covers, such as a parameter's value.
void Reader::check_whole() {
  if (std::exchange(checked_, true) || data_checksum_ == 0 || damaged_ || checksum_fits()) return;
  problem("the log's checksum is wrong: something other than its samples is damaged, and it is unknown what");
}

void Reader::verify() {
  if (!checked_ && !damaged_ && checksum_fits()) checked_ = true;
  if (!checked_)
    for (next_place_ = verified_; next_place_ < data_.size();) {
      const Place& place = data_[next_place_++];
      load_chunk(place);
    }
  check_whole();
  rewind();
}

void Reader::rewind() {
  next_place_ = 0;
  records_ = RecordView{{}};
}

bool Reader::next(MessageView& message) {
  const auto take_message = [&message](RecordView content) {
    message.channel = content.number<std::uint16_t>();
    content.number<std::uint32_t>();
    message.nanoseconds = content.number<std::uint64_t>();
    content.number<std::uint64_t>();
    if (!content.ok()) return false;
    message.data = content.raw(content.left());
    return true;
  };
  while (true) {
    while (!records_.empty()) {
      const auto opcode = static_cast<Opcode>(records_.number<std::uint8_t>());
      const auto content = records_.raw(records_.number<std::uint64_t>());
      if (records_.ok() && opcode == Opcode::message && take_message(RecordView(content))) return true;
    }
    if (next_place_ == data_.size()) {
      check_whole();
      return false;
    }
    const Place& place = data_[next_place_++];
    if (!load_chunk(place)) continue;
    if (place.opcode == Opcode::message) {
      const RecordView content = std::exchange(records_, RecordView{{}});
      if (take_message(content)) return true;
    }
  }
}

} // namespace hilda::log::mcap
