// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/hardware/process.h"
#include "tests/studio/web_client.h"

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

namespace hilda::test {

/// A diagram of a loop that a person may tune: its parameter `push` in N, the signal `position.y` in m.
inline constexpr const char* tuned_loop = R"(<diagram format="1" name="loop" period="1 ms">
  <parameter name="push" value="1 N" doc="What pushes"/>
  <block name="force" type="sources/Constant" value="${push}"/>
  <block name="sum" type="math/Sum" signs="+--"/>
  <block name="acceleration" type="math/Gain" gain="0.1 1/kg"/>
  <block name="velocity" type="discrete/DiscreteIntegrator"/>
  <block name="position" type="discrete/DiscreteIntegrator"/>
  <block name="spring" type="math/Gain" gain="40 N/m"/>
  <block name="damper" type="math/Gain" gain="4 N s/m"/>
  <block name="slow" type="discrete/LowPass" cutoff="${corner}" sample_time="5 ms"/>
  <parameter name="corner" value="2 Hz"/>
  <connect from="force.y" to="sum.u[0]"/>
  <connect from="spring.y" to="sum.u[1]"/>
  <connect from="damper.y" to="sum.u[2]"/>
  <connect from="sum.y" to="acceleration.u"/>
  <connect from="acceleration.y" to="velocity.u"/>
  <connect from="velocity.y" to="position.u"/>
  <connect from="position.y" to="spring.u"/>
  <connect from="velocity.y" to="damper.u"/>
  <connect from="position.y" to="slow.u"/>
</diagram>)";

constexpr const char* served_token = "a-token-of-a-test-0123";

/// `hilda ARGUMENTS` as a process that listens on a separate port.
class Served {
public:
  Served(const Folder& folder, const std::string& name, const std::vector<std::string>& arguments,
         const OwnTime* time = nullptr)
      : folder_(folder), name_(name), process(folder, name, with_token(arguments), Process::Input::none, time) {
    for (int i = 0; i < 1000 && port == 0; ++i) {
      const std::string out = folder_.read(name_ + ".out");
      const std::size_t at = out.find("socket   ws://127.0.0.1:");
      if (at != std::string::npos && out.find('\n', at) != std::string::npos) port = std::stoi(out.substr(at + 24));
      if (port == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

  WebClient connect(const std::string& protocol) const {
    return WebClient(static_cast<unsigned>(port), served_token, protocol);
  }
  std::string link() const { return "ws://127.0.0.1:" + std::to_string(port) + "/?token=" + served_token; }
  std::string said() const { return folder_.read(name_ + ".out") + folder_.read(name_ + ".err"); }

private:
  static std::vector<std::string> with_token(const std::vector<std::string>& arguments) {
    ::setenv("HILDA_STUDIO_TOKEN", served_token, 1);
    return arguments;
  }

  const Folder& folder_;
  const std::string name_;

public:
  Process process;
  int port = 0;
};

/// Asks, and gives the answer.
inline nlohmann::json ask(const WebClient& client, nlohmann::json request) {
  static int number = 0;
  request["id"] = ++number;
  client.send(request.dump());
  const std::string text = client.text_with("\"op\":\"reply\",\"id\":" + std::to_string(number) + ",");
  return text.empty() ? nlohmann::json() : nlohmann::json::parse(text);
}

} // namespace hilda::test
