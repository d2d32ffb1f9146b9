// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hilda::kuka {

enum class ChannelType { boolean, text, integer, real };

/// One ELEMENT of the ethernet file. TAG "X.Y" travels as attribute Y of element X, TAG "X" as the text of element X.
struct Channel {
  std::string tag;       ///< as in the file: "RKorr.X", "DEF_RIst"
  std::string element;   ///< on the wire: "RKorr", "RIst"
  std::string attribute; ///< "X"; empty: the element's text
  ChannelType type = ChannelType::real;
  bool internal = false; ///< INDX="INTERNAL": the controller fills it, its tag begins with DEF_
  int index = 0;         ///< of the RSI object's port, 1 to 64; 0 where internal
  bool hold = false;     ///< HOLDON="1": without a fresh value the last one is repeated; "0": it falls to zero
  int line = 0;
};

/// Channels that travel in one XML element, in the order of their first appearance.
struct ElementGroup {
  std::string element;
  std::vector<std::size_t> channels;
};

/// What both ends of the wire know from the vendor's ethernet file.
struct EthernetFile {
  static constexpr std::size_t most_channels = 64;

  std::string address; ///< of the PC, "192.168.1.25"
  int port = 0;
  std::string sensor_type;      ///< SENTYPE: Type of the PC's telegrams
  bool only_send = false;       ///< the robot takes no answers
  std::vector<Channel> send;    ///< robot to PC
  std::vector<Channel> receive; ///< PC to robot
  std::vector<ElementGroup> send_groups, receive_groups;

  /// Null where the file does not send it. `tag` as in the file.
  const Channel* sent(std::string_view tag) const;
  /// Index into `receive`; -1 where there is none.
  int received(std::string_view tag) const;
};

/// Reads the file. Everything that is wrong with it is appended to `problems`, each as one sentence with the line;
/// unknown attributes and comments are let pass.
EthernetFile read_ethernet_file(const char* path, std::vector<std::string>& problems);
/// The same for the file's text.
EthernetFile read_ethernet_text(std::string_view text, std::vector<std::string>& problems);

} // namespace hilda::kuka
