// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/kuka_rsi/ethernet_file.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <tinyxml2.h>

namespace hilda::kuka {
namespace {

using tinyxml2::XMLElement;

constexpr std::size_t most_bytes = 1u << 20;

class Reader {
public:
  Reader(EthernetFile& file, std::vector<std::string>& problems) : file_(file), problems_(problems) {}

  void read(std::string_view text) {
    tinyxml2::XMLDocument document;
    if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS)
      return fail(document.ErrorLineNum(), "is not XML: " + std::string(document.ErrorName()));
    const XMLElement* root = document.RootElement();
    if (root == nullptr || std::string_view(root->Name()) != "ROOT")
      return fail(root != nullptr ? root->GetLineNum() : 1,
                  "its outermost element is not ROOT; give the file that the ETHERNET object of the RSI context names");
    config(*root);
    section(*root, "SEND", file_.send);
    section(*root, "RECEIVE", file_.receive);
    group(file_.send, file_.send_groups);
    group(file_.receive, file_.receive_groups);
  }

private:
  void fail(int line, const std::string& text) { problems_.push_back("line " + std::to_string(line) + ": " + text); }

  const char* word(const XMLElement& config, const char* name) {
    const XMLElement* element = config.FirstChildElement(name);
    if (element == nullptr) return fail(config.GetLineNum(), std::string("CONFIG has no ") + name), nullptr;
    if (element->NextSiblingElement(name) != nullptr)
      return fail(element->GetLineNum(), std::string("CONFIG gives ") + name + " twice"), nullptr;
    if (element->GetText() == nullptr) return fail(element->GetLineNum(), std::string(name) + " is empty"), nullptr;
    line_ = element->GetLineNum();
    return element->GetText();
  }

  static std::string_view trimmed(std::string_view text) {
    const char* space = " \t\r\n";
    const std::size_t first = text.find_first_not_of(space);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(space) - first + 1);
  }

  static bool whole_number(std::string_view text, int& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size();
  }

  static bool is_address(std::string_view text) {
    for (int part = 0; part < 4; ++part) {
      const std::size_t dot = part < 3 ? text.find('.') : text.size();
      int value = -1;
      if (dot == std::string_view::npos || !whole_number(text.substr(0, dot), value) || value < 0 || value > 255)
        return false;
      text.remove_prefix(std::min(text.size(), dot + 1));
    }
    return true;
  }

  void config(const XMLElement& root) {
    const XMLElement* config = root.FirstChildElement("CONFIG");
    if (config == nullptr) return fail(root.GetLineNum(), "ROOT has no CONFIG");
    if (const char* text = word(*config, "IP_NUMBER")) {
      file_.address = trimmed(text);
      if (!is_address(file_.address))
        fail(line_, "IP_NUMBER \"" + file_.address + "\" is not an address such as 192.168.1.25");
    }
    if (const char* text = word(*config, "PORT")) {
      if (!whole_number(trimmed(text), file_.port) || file_.port < 1 || file_.port > 65535)
        fail(line_, std::string("PORT \"") + text + "\" is not a number from 1 to 65535");
    }
    if (const char* text = word(*config, "SENTYPE")) {
      file_.sensor_type = trimmed(text);
      if (file_.sensor_type.find_first_of("<>&\"'") != std::string::npos || file_.sensor_type.size() > 64)
        fail(line_, "SENTYPE \"" + file_.sensor_type + "\" cannot be in a telegram");
    }
    if (const char* text = word(*config, "ONLYSEND")) {
      const std::string_view value = trimmed(text);
      file_.only_send = value == "TRUE" || value == "true" || value == "1";
      if (!file_.only_send && value != "FALSE" && value != "false" && value != "0")
        fail(line_, std::string("ONLYSEND \"") + text + "\" is neither TRUE nor FALSE");
    }
  }

  void section(const XMLElement& root, const char* name, std::vector<Channel>& channels) {
    const XMLElement* section = root.FirstChildElement(name);
    if (section == nullptr) return fail(root.GetLineNum(), std::string("ROOT has no ") + name);
    const XMLElement* elements = section->FirstChildElement("ELEMENTS");
    if (elements == nullptr) return fail(section->GetLineNum(), std::string(name) + " has no ELEMENTS");
    for (const XMLElement* e = elements->FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      if (std::string_view(e->Name()) != "ELEMENT") {
        fail(e->GetLineNum(), std::string("<") + e->Name() + "> is where ELEMENT is expected");
      } else if (channels.size() == EthernetFile::most_channels) {
        return fail(e->GetLineNum(), std::string(name) + " has more than 64 elements");
      } else {
        element(*e, name, channels);
      }
    }
  }

  void element(const XMLElement& e, const char* section, std::vector<Channel>& channels) {
    Channel channel;
    channel.line = e.GetLineNum();
    if (const char* tag = e.Attribute("TAG")) channel.tag = tag;
    const std::size_t before = problems_.size();
    name(channel);
    type(e, channel);
    index(e, channel, section, channels);
    hold(e, channel);
    for (const Channel& other : channels) {
      if (other.element == channel.element && other.attribute == channel.attribute)
        fail(channel.line, "TAG " + channel.tag + " was given already on line " + std::to_string(other.line));
    }
    if (problems_.size() == before) channels.push_back(channel);
  }

  static bool is_name(std::string_view text) {
    return !text.empty() && text.size() <= 32 && std::all_of(text.begin(), text.end(), [](char c) {
      return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
  }

  void name(Channel& channel) {
    std::string_view tag = channel.tag;
    if (tag.starts_with("DEF_")) tag.remove_prefix(4);
    const std::size_t dot = tag.find('.');
    channel.element = tag.substr(0, dot);
    if (dot != std::string_view::npos) channel.attribute = tag.substr(dot + 1);
    const bool lettered = !channel.element.empty() && (channel.element[0] < '0' || channel.element[0] > '9');
    if (!lettered || !is_name(channel.element) || (dot != std::string_view::npos && !is_name(channel.attribute)))
      fail(channel.line, "TAG \"" + channel.tag + "\" is neither X nor X.Y with letters, digits, _ and -");
    if (channel.element == "IPOC" || channel.element == "Rob" || channel.element == "Sen")
      fail(channel.line, "TAG " + channel.tag + ": the protocol itself uses this name");
  }

  void type(const XMLElement& e, Channel& channel) {
    const char* given = e.Attribute("TYPE");
    const std::string_view word = given != nullptr ? given : "";
    if (word == "DOUBLE")
      channel.type = ChannelType::real;
    else if (word == "LONG")
      channel.type = ChannelType::integer;
    else if (word == "BOOL")
      channel.type = ChannelType::boolean;
    else if (word == "STRING")
      channel.type = ChannelType::text;
    else
      fail(channel.line, channel.tag + ": TYPE " + (given != nullptr ? "\"" + std::string(word) + "\"" : "is missing") +
                             "; it is BOOL, STRING, LONG or DOUBLE");
  }

  void index(const XMLElement& e, Channel& channel, const char* section, const std::vector<Channel>& channels) {
    const char* given = e.Attribute("INDX");
    const std::string_view word = given != nullptr ? given : "";
    channel.internal = word == "INTERNAL";
    const bool defined = channel.tag.starts_with("DEF_");
    if (channel.internal != defined) {
      fail(channel.line, channel.tag + ": INDX=\"INTERNAL\" goes with tags that begin with DEF_, and only with them");
    } else if (!channel.internal && (!whole_number(word, channel.index) || channel.index < 1 || channel.index > 64)) {
      fail(channel.line, channel.tag + ": INDX " +
                             (given != nullptr ? "\"" + std::string(word) + "\"" : std::string("is missing")) +
                             "; it is INTERNAL or a number from 1 to 64");
    }
    for (const Channel& other : channels) {
      if (channel.index != 0 && other.index == channel.index)
        fail(channel.line, channel.tag + ": INDX " + std::string(word) + " of " + section + " is " + other.tag +
                               "'s already, on line " + std::to_string(other.line));
    }
    for (const char* six : {"DEF_RIst", "DEF_RSol", "DEF_AIPos", "DEF_ASPos"}) {
      if (channel.tag == six && channel.type != ChannelType::real)
        fail(channel.line, channel.tag + ": TYPE must be DOUBLE");
    }
    if (channel.tag == "DEF_Delay" && channel.type != ChannelType::integer)
      fail(channel.line, channel.tag + ": TYPE must be LONG");
  }

  void hold(const XMLElement& e, Channel& channel) {
    const char* given = e.Attribute("HOLDON");
    if (given == nullptr) return;
    const std::string_view word = given;
    channel.hold = word == "1";
    if (word != "1" && word != "0") fail(channel.line, channel.tag + ": HOLDON \"" + given + "\" is neither 0 nor 1");
  }

  static void group(const std::vector<Channel>& channels, std::vector<ElementGroup>& groups) {
    for (std::size_t i = 0; i < channels.size(); ++i) {
      auto same = std::find_if(groups.begin(), groups.end(),
                               [&](const ElementGroup& g) { return g.element == channels[i].element; });
      if (same == groups.end()) same = groups.insert(groups.end(), {channels[i].element, {}});
      same->channels.push_back(i);
    }
  }

  EthernetFile& file_;
  std::vector<std::string>& problems_;
  int line_ = 0;
};

} // namespace

const Channel* EthernetFile::sent(std::string_view tag) const {
  for (const Channel& channel : send)
    if (channel.tag == tag) return &channel;
  return nullptr;
}

int EthernetFile::received(std::string_view tag) const {
  for (std::size_t i = 0; i < receive.size(); ++i)
    if (receive[i].tag == tag) return static_cast<int>(i);
  return -1;
}

EthernetFile read_ethernet_text(std::string_view text, std::vector<std::string>& problems) {
  EthernetFile file;
  if (text.size() > most_bytes) {
    problems.emplace_back("line 1: is longer than 1 MiB, which no ethernet file is");
    return file;
  }
  Reader(file, problems).read(text);
  return file;
}

EthernetFile read_ethernet_file(const char* path, std::vector<std::string>& problems) {
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    problems.emplace_back("line 1: cannot be read");
    return {};
  }
  std::string text(most_bytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return read_ethernet_text(text, problems);
}

} // namespace hilda::kuka
