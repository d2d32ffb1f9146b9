#include "engine/log/log_recovery.h"

#include "engine/log/format/ros2_message.h"
#include "engine/mcap/lz4_frame.h"
#include "engine/mcap/mcap_writer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <set>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace hilda {
namespace {

using namespace mcap;

constexpr std::uint64_t largest_record = std::uint64_t{1} << 28U;
constexpr std::size_t window_bytes = std::size_t{1} << 20U;
constexpr std::size_t most_remarks = 20;
/// The head of a chunk whose messages nothing compresses, and of one that holds an LZ4 frame.
constexpr std::size_t plain_head = 3 * 8 + 4 + 4 + 8, packed_head = plain_head + 3;

/// What stands in front of a chunk's messages.
struct ChunkHead {
  std::uint64_t size = 0; ///< of the messages, unpacked
  std::uint32_t crc = 0;
  bool packed = false;
  std::uint64_t stored = 0; ///< bytes of what follows

  std::size_t bytes() const { return packed ? packed_head : plain_head; }
};

/// None where the bytes are no such head.
std::optional<ChunkHead> chunk_head(std::span<const std::byte> bytes) {
  RecordView view(bytes);
  view.raw(2 * sizeof(std::uint64_t));
  ChunkHead head;
  head.size = view.number<std::uint64_t>();
  head.crc = view.number<std::uint32_t>();
  const std::string_view compression = view.text();
  head.packed = compression == lz4_compression;
  head.stored = view.number<std::uint64_t>();
  if (!view.ok() || (!head.packed && !compression.empty()) || head.size > largest_record) return std::nullopt;
  return head;
}

/// A file read piece by piece; what is not there is short.
class Bytes {
public:
  explicit Bytes(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat info {};
    if (file_ < 0 || ::fstat(file_, &info) != 0)
      fault_ = "it cannot be read: " + std::system_category().message(errno);
    else if (!S_ISREG(info.st_mode))
      fault_ = "it is no file";
    else
      size_ = static_cast<std::uint64_t>(info.st_size);
  }
  ~Bytes() {
    if (file_ >= 0) ::close(file_);
  }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  const std::string& fault() const { return fault_; }
  std::uint64_t size() const { return size_; }

  /// The next place where something was written: of a sparse file most is a hole.
  std::uint64_t data_from(std::uint64_t offset) const {
    const off_t found = ::lseek(file_, static_cast<off_t>(offset), SEEK_DATA);
    if (found >= 0) return static_cast<std::uint64_t>(found);
    return errno == ENXIO ? size_ : offset;
  }

  /// As much as is at hand from there on; nothing at the file's end.
  std::span<const std::byte> from(std::uint64_t offset) {
    const bool held = offset >= start_ && offset < start_ + window_.size();
    return at(offset, held ? start_ + window_.size() - offset : window_bytes);
  }

  /// Valid until the next call.
  std::span<const std::byte> at(std::uint64_t offset, std::uint64_t bytes) {
    bytes = offset < size_ ? std::min(bytes, size_ - offset) : 0;
    if (offset < start_ || offset + bytes > start_ + window_.size()) load(offset, bytes);
    const std::uint64_t from = offset - start_;
    const std::uint64_t have = from < window_.size() ? std::min<std::uint64_t>(bytes, window_.size() - from) : 0;
    return std::span<const std::byte>(window_).subspan(static_cast<std::size_t>(have == 0 ? 0 : from),
                                                       static_cast<std::size_t>(have));
  }

private:
  void load(std::uint64_t offset, std::uint64_t bytes) {
    start_ = offset;
    window_.resize(static_cast<std::size_t>(std::min(std::max<std::uint64_t>(bytes, window_bytes), size_ - offset)));
    std::size_t done = 0;
    while (done < window_.size()) {
      const ssize_t got =
          ::pread(file_, window_.data() + done, window_.size() - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      done += static_cast<std::size_t>(got);
    }
    window_.resize(done);
  }

  int file_ = -1;
  std::uint64_t size_ = 0, start_ = 0;
  std::vector<std::byte> window_;
  std::string fault_;
};

struct Head {
  Opcode opcode{};
  std::uint64_t offset = 0, bytes = 0; ///< of the content
};

/// Walks over all that looks like a record, and finds its way again behind what does not.
class Salvage {
public:
  Salvage(Bytes& file, Recovery& recovery) : file_(file), recovery_(recovery) {}

  /// `visit(Head)` for each whole record. Messages of a chunk that the file's end cuts are given by `cut_chunk`.
  template <class Visit> void walk(Visit&& visit) {
    cut_ = std::nullopt;
    const auto start = file_.at(0, magic.size());
    std::uint64_t at = start.size() == magic.size() && std::memcmp(start.data(), magic.data(), magic.size()) == 0
                           ? magic.size()
                           : next_chunk(0);
    while (at < file_.size()) {
      const std::optional<Head> head = head_at(at);
      if (head && head->opcode == Opcode::footer && head->bytes == footer_bytes - record_head) return;
      if (head && sound(*head)) {
        visit(*head);
        at = head->offset + head->bytes;
        continue;
      }
      if (is_cut_chunk(at)) {
        cut_ = at;
        return;
      }
      const std::uint64_t next = next_chunk(at + 1);
      left_out(at, next - at);
      at = next;
    }
  }
  /// Where a chunk begins that goes beyond the file's end.
  std::optional<std::uint64_t> cut_chunk() const { return cut_; }
  void remarks_wanted(bool wanted) { remarks_ = wanted; }

  void left_out(std::uint64_t offset, std::uint64_t bytes) {
    if (!remarks_) return;
    recovery_.bytes_left_out += bytes;
    if (recovery_.remarks.size() < most_remarks)
      recovery_.remarks.push_back("at byte " + std::to_string(offset) + ": " + std::to_string(bytes) +
                                  " bytes are damaged and left out");
  }

private:
  std::optional<Head> head_at(std::uint64_t at) {
    const auto bytes = file_.at(at, record_head);
    if (bytes.size() < record_head) return std::nullopt;
    RecordView view(bytes);
    Head head;
    head.opcode = static_cast<Opcode>(view.number<std::uint8_t>());
    head.bytes = view.number<std::uint64_t>();
    head.offset = at + record_head;
    return head;
  }

  bool sound(const Head& head) const {
    return head.opcode >= Opcode::header && head.opcode <= Opcode::data_end && head.bytes <= largest_record &&
           head.bytes <= file_.size() - head.offset;
  }

  /// Does the head of a chunk fit to its length?
  bool chunk_like(const Head& head) {
    if (head.opcode != Opcode::chunk || head.bytes > largest_record) return false;
    const auto chunk = chunk_head(file_.at(head.offset, packed_head));
    return chunk && chunk->stored == head.bytes - chunk->bytes();
  }

  bool is_cut_chunk(std::uint64_t at) {
    const std::optional<Head> head = head_at(at);
    return head && chunk_like(*head) && head->bytes > file_.size() - head->offset;
  }

  /// The next place where a whole chunk begins, or the file's end.
  std::uint64_t next_chunk(std::uint64_t at) {
    for (at = file_.data_from(at); at < file_.size();) {
      const auto bytes = file_.from(at);
      if (bytes.empty()) break;
      const void* const found = std::memchr(bytes.data(), static_cast<int>(Opcode::chunk), bytes.size());
      if (found == nullptr) {
        at = file_.data_from(at + bytes.size());
        continue;
      }
      at += static_cast<std::uint64_t>(static_cast<const std::byte*>(found) - bytes.data());
      const std::optional<Head> head = head_at(at);
      if (head && sound(*head) && chunk_like(*head)) return at;
      ++at;
    }
    return file_.size();
  }

  Bytes& file_;
  Recovery& recovery_;
  std::optional<std::uint64_t> cut_;
  bool remarks_ = true;
};

class Recoverer {
public:
  Recoverer(Bytes& file, mcap::Writer& writer, Recovery& recovery)
      : file_(file), salvage_(file, recovery), writer_(writer), recovery_(recovery) {}

  /// First all that describes messages, wherever it stands, then the messages.
  bool run(std::string& error) {
    salvage_.remarks_wanted(false);
    salvage_.walk([this](const Head& head) { describe(head); });
    describe_by_summary();
    if (!log_found_) {
      error = "nothing can be had: it holds nothing that says how a log of hilda is to be read";
      return false;
    }
    salvage_.remarks_wanted(true);
    salvage_.walk([this](const Head& head) { copy(head); });
    if (salvage_.cut_chunk()) copy_cut(*salvage_.cut_chunk());
    recovery_.cut = !end_found_;
    return true;
  }
  bool ended() const { return end_found_; }

private:
  void describe(const Head& head) {
    const bool wanted = head.opcode == Opcode::schema || head.opcode == Opcode::channel ||
                        head.opcode == Opcode::metadata || head.opcode == Opcode::attachment;
    if (!wanted) return;
    const auto content = file_.at(head.offset, head.bytes);
    if (content.size() != head.bytes) return;
    RecordView view(content);
    if (head.opcode == Opcode::schema) {
      const auto id = view.number<std::uint16_t>();
      const std::string name(view.text()), encoding(view.text()), text(view.text());
      if (view.ok() && schemas_.insert(id).second) writer_.schema(id, name, encoding, text);
    } else if (head.opcode == Opcode::channel) {
      const auto id = view.number<std::uint16_t>(), schema = view.number<std::uint16_t>();
      const std::string topic(view.text()), encoding(view.text());
      const TextMap metadata = view.map();
      if (view.ok() && channels_.insert(id).second) writer_.channel(id, schema, topic, encoding, metadata);
    } else if (head.opcode == Opcode::metadata) {
      const std::string name(view.text());
      const TextMap metadata = view.map();
      if (!view.ok()) return;
      log_found_ = log_found_ || name == log_record;
      end_found_ = end_found_ || name == end_record;
      writer_.metadata(name, metadata);
    } else {
      copy_attachment(content);
    }
  }

  void copy_attachment(std::span<const std::byte> content) {
    RecordView view(content);
    view.raw(2 * sizeof(std::uint64_t));
    const std::string name(view.text()), media_type(view.text());
    const auto data = view.raw(view.number<std::uint64_t>());
    const std::size_t covered = content.size() - view.left();
    const auto crc = view.number<std::uint32_t>();
    if (view.ok() && (crc == 0 || crc == crc32(content.first(covered))))
      return writer_.attachment(name, media_type, {reinterpret_cast<const char*>(data.data()), data.size()});
    recovery_.remarks.push_back("the file \"" + name + "\" inside the log is damaged and left out");
  }

  /// Where the beginning is damaged, the summary at the end still has the channels.
  void describe_by_summary() {
    const std::uint64_t from = file_.size() - std::min<std::uint64_t>(file_.size(), footer_bytes + magic.size());
    const auto footer = file_.at(from, footer_bytes);
    if (footer.size() < footer_bytes || footer[0] != static_cast<std::byte>(Opcode::footer)) return;
    RecordView view(footer.subspan(record_head));
    std::uint64_t at = view.number<std::uint64_t>();
    while (at + record_head < from) {
      RecordView head(file_.at(at, record_head));
      const auto opcode = static_cast<Opcode>(head.number<std::uint8_t>());
      const auto bytes = head.number<std::uint64_t>();
      at += record_head;
      if (!head.ok() || bytes > from - at) return;
      if (opcode == Opcode::schema || opcode == Opcode::channel) describe({opcode, at, bytes});
      at += bytes;
    }
  }

  void copy(const Head& head) {
    if (head.opcode != Opcode::chunk && head.opcode != Opcode::message) return;
    const auto content = file_.at(head.offset, head.bytes);
    if (content.size() != head.bytes) return salvage_.left_out(head.offset, head.bytes);
    if (head.opcode == Opcode::message) return put(content);
    const std::optional<ChunkHead> chunk = chunk_head(content);
    bool right = chunk && chunk->stored == content.size() - chunk->bytes();
    std::span<const std::byte> records;
    if (right) {
      records = content.subspan(chunk->bytes());
      right = !chunk->packed || unpack_lz4(records, chunk->size, unpacked_);
      if (chunk->packed) records = unpacked_;
      right = right && (chunk->crc == 0 || chunk->crc == crc32(records));
    }
    right ? copy_records(records) : salvage_.left_out(head.offset, head.bytes);
  }

  /// The bytes that were written before the cut are right.
  void copy_cut(std::uint64_t at) {
    const auto chunk = chunk_head(file_.at(at + record_head, packed_head));
    const std::uint64_t from = at + record_head + (chunk ? chunk->bytes() : 0);
    if (!chunk || from >= file_.size()) return;
    const auto records = file_.at(from, std::min(file_.size() - from, largest_record));
    if (chunk->packed) unpack_lz4(records, chunk->size, unpacked_);
    copy_records(chunk->packed ? unpacked_ : records);
  }

  void copy_records(std::span<const std::byte> records) {
    RecordView view(records);
    while (!view.empty()) {
      const auto opcode = static_cast<Opcode>(view.number<std::uint8_t>());
      const auto content = view.raw(view.number<std::uint64_t>());
      if (!view.ok()) return;
      if (opcode == Opcode::message) put(content);
    }
  }

  void put(std::span<const std::byte> content) {
    RecordView view(content);
    const auto channel = view.number<std::uint16_t>();
    view.number<std::uint32_t>();
    const auto time = view.number<std::uint64_t>();
    view.number<std::uint64_t>();
    if (!view.ok() || !channels_.contains(channel)) return;
    const auto data = view.raw(view.left());
    std::memcpy(writer_.message(channel, time, data.size()), data.data(), data.size());
    ++recovery_.messages;
    if (writer_.chunk_bytes() >= window_bytes) writer_.flush();
  }

  Bytes& file_;
  Salvage salvage_;
  mcap::Writer& writer_;
  Recovery& recovery_;
  std::set<std::uint16_t> schemas_, channels_;
  std::vector<std::byte> unpacked_;
  bool log_found_ = false, end_found_ = false;
};

} // namespace

bool recover_log(const std::string& path, std::unique_ptr<OutputFile> target, Recovery& recovery, std::string& error) {
  Bytes file(path);
  if (!file.fault().empty()) {
    error = path + ": " + file.fault();
    return false;
  }
  mcap::Writer writer;
  bool found = false;
  if (writer.open(std::move(target), "hilda")) {
    Recoverer recoverer(file, writer, recovery);
    found = recoverer.run(error);
    if (found && !recoverer.ended()) writer.metadata(end_record, {{"reason", "unknown: the log was cut"}});
    if (found) writer.metadata("hilda.recovered", {{"from", path}});
  }
  if (found && writer.close()) return true;
  if (found || writer.failed())
    error = writer.error();
  else
    error = path + ": " + error;
  recovery.unwritable = writer.failed();
  if (!writer.failed()) writer.drop();
  return false;
}

} // namespace hilda
