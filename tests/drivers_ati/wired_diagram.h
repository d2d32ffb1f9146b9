// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/run/start.h"
#include "tests/modules.h"

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace hilda::test {

/// A diagram with ends of wires in it, stepped by hand.
class WiredDiagram {
public:
  /// `body` is the inside of a <diagram> whose first line is line 2 of "test.xml".
  explicit WiredDiagram(const std::string& body, const std::string& period = "1 ms");
  ~WiredDiagram();

  /// False: see errors().
  bool start();
  void stop() { runtime_->stop(); }
  /// What was wrong so far, as people read it.
  std::string errors() const;
  /// Continues until the run ends or `ticks` are over. True: it has not ended.
  bool step(int ticks = 1);
  /// One element of a signal as a number.
  double value(const std::string& path, std::size_t element = 0) const;
  Ending ending() const { return runtime_->ending(); }
  Runtime& runtime() { return *runtime_; }
  std::map<std::string, double> figures() const;
  std::map<std::string, std::string> texts() const;

private:
  LoadedDiagram diagram_;
  std::unique_ptr<Runtime> runtime_;
};

/// Steps a diagram in a separate thread, about every millisecond, for as long as it lives.
class Background {
public:
  explicit Background(WiredDiagram& diagram);
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

private:
  std::atomic<bool> over_{false};
  std::thread thread_;
};

} // namespace hilda::test
