// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "drivers/kuka_rsi/ipoc_sequence.h"
#include "drivers/kuka_rsi/telegram.h"
#include "drivers/net/datagram_socket.h"

#include <array>
#include <atomic>
#include <string>
#include <thread>

namespace hilda::kuka {

/// The PC's end of the wire: takes the newest telegram of one robot and answers that one alone, with its IPOC, to the
/// address it came from.
class RobotLink {
public:
  struct Counts {
    std::int64_t lost = 0;      ///< cycles of which no packet came, by IPOC
    std::int64_t outdated = 0;  ///< packets of an IPOC that was passed or taken already
    std::int64_t foreign = 0;   ///< packets of another sender
    std::int64_t malformed = 0; ///< no telegrams
    std::int64_t unusable = 0;  ///< telegrams with a value missing, or none that is finite
    std::int64_t jumps = 0;     ///< times that IPOC did not follow on the one before
    std::int64_t skipped = 0;   ///< packets that a newer one overtook before they were looked at
  };
  enum class Awaited { came, late, broken };
  /// What the robot's Delay counts: every answer that was late, or those in a row.
  enum class DelayCounts : std::int64_t { not_looked, total, row, unclear };

  ~RobotLink() { close(); }

  /// `file` and `status` must outlive the link. `cycle`: ns. `ipoc_step`: by how much IPOC grows a cycle; 0: found out
  /// by `meet`, the cycle in ms, or 1.
  bool open(const EthernetFile& file, const Channel* status, const std::string& address, int port, std::int64_t cycle,
            std::int64_t ipoc_step, std::string& problem);
  /// Before meet: packets of other addresses are strangers'. Empty: any may be the robot's. False: it is not an
  /// address.
  bool expect(const std::string& peer, std::string& problem);
  /// Waits until two telegrams in a row agree: one sender, which is the robot from then on, consecutive IPOCs, a robot
  /// at rest. One alone may be corrupted, or a stranger's. `seconds` at most. Then, for `check` seconds, the
  /// robot's cycle is measured, and refused where it is another.
  bool meet(double seconds, double check, std::string& problem);
  /// Between meet and the loop, with a robot at rest: leaves one telegram without an answer and sees what Delay
  /// does. Tries again where a cycle is lost besides.
  DelayCounts probe_delay();
  /// Answers every telegram with corrections of zero on a separate thread, so that the robot does not count late
  /// answers while the rest of the program starts; the first `await` ends it.
  void keep_alive();
  /// Ends that; waits for a millisecond at most.
  void take_over();
  void close();

  /// [loop] Takes in all that has come, and waits until `deadline` (ns, CLOCK_MONOTONIC) where nothing new had. A
  /// telegram whose cycle is over already does not count: its answer would be of no use.
  Awaited await(std::int64_t deadline, std::int64_t& arrival);
  /// [loop] Answers the telegram taken last. False: it is answered already, or the answer cannot be written.
  bool answer(SensorTelegram& telegram);
  bool answerable() const { return unanswered_; }
  /// [loop] Certainly too late for an answer to the telegram taken last.
  bool over() const { return 2 * (net::monotonic_now() - arrival_) >= 5 * cycle_; }
  /// [loop] The telegram taken last stays without an answer.
  void leave_unanswered() { unanswered_ = false; }

  /// The telegram taken last; its values are those of the last one that was usable.
  const RobotTelegram& telegram() const { return usable_; }
  /// The Delay of the telegram taken last; negative: nothing that can be read.
  std::int64_t newest_delay() const { return newest_delay_; }
  /// Delay before anything was answered.
  std::int64_t first_delay() const { return first_delay_; }
  /// Whether the telegram taken last was usable.
  bool usable() const { return last_usable_; }
  std::int64_t ipoc() const { return ipoc_; }
  std::int64_t ipoc_step() const { return ipoc_step_; }
  std::int64_t arrival() const { return arrival_; }
  /// Telegrams so far that came half a cycle or more after the one before and had its IPOC.
  std::int64_t repeats() const { return repeats_; }
  const IpocSequence& sequence() const { return sequence_; }
  /// For how many cycles a packet of the last await had lain in this machine before it was looked at, or for how long
  /// this process slept beyond the deadline.
  std::int64_t waited() const { return waited_; }
  const Counts& counts() const { return counts_; }

private:
  static constexpr std::size_t most_bytes = 8192;

  bool drain(bool& any);
  bool take(const net::Datagram& datagram);
  bool follows(const RobotTelegram& before, const sockaddr_in& sender);
  bool answer_some(int cycles);
  bool measure_cycle(double seconds, std::string& problem);
  std::string silence(double seconds) const;
  void make_keeper();
  void keep();

  const EthernetFile* file_ = nullptr;
  const Channel* status_ = nullptr;
  net::DatagramSocket socket_;
  IpocSequence sequence_;
  Counts counts_;
  RobotTelegram usable_, read_;
  sockaddr_in robot_{};
  std::uint32_t only_ = 0; ///< address that the robot must have; 0: any
  std::string address_;
  int port_ = 0;
  std::int64_t ipoc_ = -1, arrival_ = 0, cycle_ = 4'000'000, ipoc_step_ = 4, first_delay_ = 0, newest_delay_ = -1,
               waited_ = 0, repeats_ = 0;
  bool known_ = false; ///< meet is over
  bool met_ = false, unanswered_ = false, last_usable_ = false, step_given_ = true;
  const char* last_refusal_ = nullptr;
  std::size_t last_refusal_at_ = 0;
  std::array<char, most_bytes> in_{}, out_{};

  std::thread keeper_;
  std::atomic<bool> hand_over_{false}, handed_over_{false}, keeping_{false};
  bool taken_over_ = true;
};

} // namespace hilda::kuka
