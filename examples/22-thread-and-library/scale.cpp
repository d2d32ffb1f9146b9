#include <hilda/block.h>

#include <atomic>
#include <chrono>
#include <stop_token>
#include <thread>

namespace hilda {
namespace {

/// A scale behind a slow line: its own thread asks it, and the loop takes what came last.
struct Scale : Block {
  static constexpr std::uint32_t type_flags = HILDA_SINK;
  Parameter<double> pause{*this, "pause", "s", "Between two questions", above(0.0), by_default("2 ms")};
  Output<double> load{*this, "load", "N", "The last answer", measurement};
  Output<std::int64_t> count{*this, "count", "Answers so far", measurement};

  void start(const Instance& self) override {
    if (self.simulated()) return;
    reader_ = std::jthread([this, every = std::chrono::duration<double>(*pause)](const std::stop_token& end) {
      while (!end.stop_requested()) {
        std::this_thread::sleep_for(every); // where a read with a time-out would be
        answer(20.0);
      }
    });
  }
  void stop() override { reader_ = {}; } // asks the thread to end, and waits
  void acquire(const Tick&) override {
    count = count_.load(std::memory_order_acquire);
    load = load_.load(std::memory_order_relaxed);
  }

private:
  void answer(double newtons) {
    load_.store(newtons, std::memory_order_relaxed);
    count_.fetch_add(1, std::memory_order_release);
  }
  std::atomic<double> load_{0};
  std::atomic<std::int64_t> count_{0};
  std::jthread reader_; // the last member: it goes first
};
HILDA_BLOCK(Scale, "Takes what its own thread has read from a scale.")

} // namespace
} // namespace hilda
