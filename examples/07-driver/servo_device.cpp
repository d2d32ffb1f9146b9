#include "wire.h"

#include <hilda/block.h>

namespace {
using namespace hilda;

/// The servo's end of the wire, for a simulation of it.
struct ServoDevice : Block {
  Input<double> angle{*this, "angle", "rad", "Where it is"};
  Output<double> command{*this, "command", "rad", "Commanded position: the newest that came", measurement};
  Parameter<std::int64_t> port{*this, "port", "UDP port here", between(1, 65535)};
  Parameter<std::int64_t> controller_port{*this, "controller_port", "UDP port of the controller", between(1, 65535)};

  void start(const Instance& self) override {
    if (const std::string problem = wire_.open(*port, *controller_port); !problem.empty())
      self.report("port", problem + "; end the other program, or choose another port");
  }
  void stop() override { wire_.close(); }
  void acquire(const Tick&) override {
    (void)wire_.newest(newest_);
    command = double{newest_};
  }
  void emit(const Tick&) override { wire_.send(*angle); }

private:
  Wire wire_;
  double newest_ = 0;
};
HILDA_BLOCK(ServoDevice, "The servo's end of the wire, for a simulation of it.")

} // namespace
