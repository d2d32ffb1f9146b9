// SPDX-License-Identifier: BSD-3-Clause
// hilda doctor --rig: a checklist of a bare cell, in which each line that fails says what to do.

#include "tests/cli/program.h"
#include "tests/project_folders.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace hilda::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

const std::string diagrams = source_folder() + "/diagrams/";

/// Answers two requests for a page with this body, on the loopback, then goes.
class PageServer {
public:
  explicit PageServer(const std::string& body) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof at;
    ::bind(fd_, reinterpret_cast<const sockaddr*>(&at), size);
    ::listen(fd_, 4);
    ::getsockname(fd_, reinterpret_cast<sockaddr*>(&at), &size);
    port_ = ntohs(at.sin_port);
    serving_ = std::thread([this, body] {
      const int client = ::accept(fd_, nullptr, nullptr);
      if (client < 0) return;
      char request[1024];
      (void)!::recv(client, request, sizeof request, 0);
      const std::string answer = "HTTP/1.0 200 OK\r\n\r\n" + body;
      (void)!::send(client, answer.data(), answer.size(), MSG_NOSIGNAL);
      ::close(client);
    });
  }
  ~PageServer() {
    ::shutdown(fd_, SHUT_RDWR);
    serving_.join();
    ::close(fd_);
  }
  int port() const { return port_; }

private:
  int fd_, port_ = 0;
  std::thread serving_;
};

class RigDoctor : public testing::Test {
protected:
  Result look(const std::string& more) const {
    return here_.hilda("doctor --rig " + diagrams + "rigs/kuka_ati.xml --overlay " + diagrams +
                       "rigs/kuka_ati_loopback.xml " + more);
  }
  /// With this as the RSI context.
  Result with_context(const std::string& objects, const std::string& more = "") const {
    here_.write("cell.rsi.xml", "<RSIObjects>" + objects + "</RSIObjects>");
    return look("--rsi cell.rsi.xml " + more);
  }
  static std::string object(const std::string& type, const std::string& parameters, const std::string& inputs = "") {
    return "<RSIObject ObjType=\"" + type + "\" ObjID=\"" + type + "1\"><Inputs>" + inputs + "</Inputs><Parameters>" +
           parameters + "</Parameters></RSIObject>";
  }
  static std::string parameter(const std::string& name, const std::string& value) {
    return "<Parameter Name=\"" + name + "\" ParamID=\"1\" ParamValue=\"" + value + "\"/>";
  }

  Workplace here_;
};

TEST_F(RigDoctor, ListsWhatABareRigLacks) {
  const Result bare = here_.hilda("doctor --rig " + diagrams + "rigs/kuka_ati.xml");
  EXPECT_EQ(bare.exit, 2);
  EXPECT_THAT(bare.err, HasSubstr("'rig.ethernet' has no value"));
  EXPECT_THAT(bare.err, HasSubstr("limits-missing"));
}

TEST_F(RigDoctor, SaysWhatItCouldNotLookAt) {
  const Result found = look("");
  EXPECT_EQ(found.exit, 1);
  EXPECT_THAT(found.out, ContainsRegex("ok +HOLDON +absolute corrections, HOLDON=\"1\""));
  EXPECT_THAT(found.out, ContainsRegex("warning +RSI context +was not given"));
  EXPECT_THAT(found.out, HasSubstr("Precision of ETHERNET 4 or more (default 1)"));
  EXPECT_THAT(found.out, ContainsRegex("warning +sensor page +http://127.0.0.2:8080/netftapi2.xml: "));
}

TEST_F(RigDoctor, KnowsTheVendorsDefaults) {
  // What a context has that was put together and never edited.
  const Result found =
      with_context(object("ETHERNET", parameter("ConfigFile", "RSIEthernet.xml")) + object("POSCORR", ""));
  EXPECT_EQ(found.exit, 1);
  EXPECT_THAT(found.out, ContainsRegex("warning +ethernet file +the context names RSIEthernet.xml"));
  EXPECT_THAT(found.out, ContainsRegex("warning +Precision +1 decimals: poses in steps of 100 um"));
  EXPECT_THAT(found.out, ContainsRegex("warning +Timeout +RSI ends at 10 late answers"));
  EXPECT_THAT(found.out,
              ContainsRegex("warning +POSCORR +clamps at 5 mm and 5 deg, without a word; the rig allows 300"));
  EXPECT_THAT(found.out, HasSubstr("set rig.position_limit to 5 mm and rig.rotation_limit to 5 deg or less"));
  EXPECT_THAT(found.out, ContainsRegex("warning +POSCORR's Stat +is wired to nothing"));
  EXPECT_THAT(found.out, ContainsRegex("warning +POSCORRMON +is not in the context: its default ends RSI at 6 mm"));
}

TEST_F(RigDoctor, IsContentWithAContextThatFits) {
  std::string limits = parameter("MaxRotAngle", "45");
  for (const char* axis : {"X", "Y", "Z"})
    limits += parameter(std::string("LowerLim") + axis, "-350") + parameter(std::string("UpperLim") + axis, "350");
  const Result found = with_context(
      object("ETHERNET", parameter("ConfigFile", "kuka_rsi_ethernet.xml") + parameter("Timeout", "50") +
                             parameter("Precision", "6")) +
      object("GREATER", "", "<Input InIdx=\"1\" OutObjID=\"POSCORR1\" OutIdx=\"1\"/>") + object("POSCORR", limits) +
      object("POSCORRMON", parameter("MaxTrans", "600") + parameter("MaxRotAngle", "50")));
  for (const char* subject : {"ethernet file", "Precision", "Timeout", "POSCORR ", "POSCORR's Stat", "POSCORRMON"})
    EXPECT_THAT(found.out, ContainsRegex("ok +" + std::string(subject))) << found.out;
}

TEST_F(RigDoctor, KnowsThatStatCannotBeSent) {
  const Result found = with_context(object("ETHERNET", "", "<Input InIdx=\"1\" OutObjID=\"POSCORR1\" OutIdx=\"1\"/>") +
                                    object("POSCORR", ""));
  EXPECT_THAT(found.out, ContainsRegex("warning +POSCORR's Stat +goes to ETHERNET: RSI_CREATE refuses"));
}

TEST_F(RigDoctor, ReadsTheContextOfRsi5) {
  here_.write("cell.rsix",
              "<RsiContext xmlns=\"RsiContext\"><RsiObjects xmlns=\"RsiDriver\"><RsiObject ObjTypeId=\"64\" "
              "ObjType=\"Ethernet\" ObjId=\"RSI\"><Parameters><Parameter Name=\"Precision\" ParamId=\"7\" "
              "ParamValue=\"5\"/></Parameters></RsiObject></RsiObjects></RsiContext>");
  EXPECT_THAT(look("--rsi cell.rsix").out, ContainsRegex("ok +Precision +5 decimals"));
}

TEST_F(RigDoctor, SaysWhatIsNoContext) {
  here_.write("no.xml", "<ROOT/>");
  EXPECT_THAT(look("--rsi no.xml").out, HasSubstr("no.xml has no RSIObject"));
  here_.write("no.xml", "<ROOT");
  EXPECT_THAT(look("--rsi no.xml").out, HasSubstr("no.xml:1 is not XML"));
  EXPECT_THAT(look("--rsi none.xml").out, HasSubstr("none.xml cannot be read"));
}

TEST_F(RigDoctor, LooksAtTheNetwork) {
  const Result found = look("--set rig.robot_address=203.0.113.9 --set rig.sensor_address=203.0.113.7");
  EXPECT_THAT(found.out, ContainsRegex("warning +robot address +203.0.113.9 is not this machine's"));
  EXPECT_THAT(found.out, HasSubstr("ip address add 203.0.113.9/24"));
  EXPECT_THAT(found.out, ContainsRegex("warning +sensor address +203.0.113.7 is in no network of this machine"));
}

TEST_F(RigDoctor, ReadsTheSensorsPage) {
  const std::string at = "--set rig.sensor_address=127.0.0.1 --set rig.sensor_http_port=";
  {
    const PageServer box(
        "<netft><runstat>0x80000000</runstat><cfgcpf>10</cfgcpf><cfgcpt>1000</cfgcpt><scfgfu>N</scfgfu>"
        "<scfgtu>Nm</scfgtu><comrdte>Disabled</comrdte><comrdtrate>250</comrdtrate></netft>");
    const Result found = look(at + std::to_string(box.port()));
    EXPECT_THAT(found.out, ContainsRegex("warning +sensor resolution +a count is 0.1 N"));
    EXPECT_THAT(found.out, ContainsRegex("warning +sensor stream +RDT is disabled"));
    EXPECT_THAT(found.out, ContainsRegex("warning +sensor rate +250 records a second, 1 a cycle"));
    EXPECT_THAT(found.out, ContainsRegex("warning +sensor status +0x80000000"));
  }
  const PageServer bare("<netft><cfgcpf>1000000</cfgcpf><cfgcpt>1000000</cfgcpt></netft>");
  EXPECT_THAT(look(at + std::to_string(bare.port())).out,
              AllOf(HasSubstr("lacks scfgfu, scfgtu"), HasSubstr("give force_unit, torque_unit")));
}

} // namespace
} // namespace hilda::test
