#include "wire.h"

#include <hilda/block.h>

namespace {
using namespace hilda;

/// A servo over UDP: takes the commanded angle and reports where it is.
struct Servo : Block {
  Input<double> command{*this, "command", "rad", "Commanded position", actuation};
  Output<double> angle{*this, "angle", "rad", "Where it was last", measurement};
  Output<bool> stale{*this, "stale", "Nothing came from it since the tick before", measurement};
  Output<double> sent{*this, "sent", "rad", "The command, behind the safety stage"};
  Parameter<std::int64_t> port{*this, "port", "UDP port here", between(1, 65535)};
  Parameter<std::int64_t> device_port{*this, "device_port", "UDP port of the servo", between(1, 65535)};
  Parameter<double> timeout{*this,      "timeout",          "s", "The run ends after a longer silence",
                            above(0.0), by_default("0.1 s")};
  State<double> heard{*this, "heard", "s", "When it was heard last"};

  void start(const Instance& self) override {
    if (const std::string problem = wire_.open(*port, *device_port); !problem.empty())
      return self.report("port", problem + "; end the other program, or choose another port");
    if (!wire_.wait(5000) || !wire_.newest(newest_))
      return self.report("device_port", "nothing came from the servo within 5 s; is it on?");
    known_ = true;
  }
  void stop() override { wire_.close(); }
  void initialize(const Instance&) override { heard = 0.0; }

  void acquire(const Tick&) override {
    stale = !wire_.newest(newest_);
    angle = double{newest_};
  }
  void output(const Tick& t) override {
    sent = *command;
    if (*stale && t.time() - *heard > *timeout) t.fail("the servo is silent for longer than `timeout`");
  }
  void emit(const Tick&) override { wire_.send(*command); }
  void update(const Tick& t) override {
    if (!*stale) heard = t.time();
  }
  /// Where the loop begins, at rest: where the servo is.
  bool rest(std::string_view, double* value) const override {
    *value = newest_;
    return known_;
  }

private:
  Wire wire_;
  double newest_ = 0;
  bool known_ = false;
};
HILDA_BLOCK(Servo, "A servo over UDP: takes the commanded angle and reports where it is.")

} // namespace
