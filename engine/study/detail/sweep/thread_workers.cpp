// SPDX-License-Identifier: BSD-3-Clause
#include "engine/study/detail/sweep/workers.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace hilda::study {
namespace {

/// What giver and workers share. A queue of tasks, so that workers never wait for the giver's disk.
class Backlog {
public:
  explicit Backlog(std::size_t most) : most_(most) {}

  /// Is there room for more tasks?
  bool room() {
    const std::lock_guard lock(mutex_);
    return tasks_.size() < most_;
  }
  void give(StudyTask task) {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    work_.notify_one();
  }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    work_.notify_all();
  }
  std::optional<StudyTask> fetch() {
    std::unique_lock lock(mutex_);
    work_.wait(lock, [this] { return closed_ || !tasks_.empty(); });
    if (tasks_.empty()) return std::nullopt;
    StudyTask task = std::move(tasks_.front());
    tasks_.pop_front();
    if (tasks_.size() < most_ / 2) news_.notify_one();
    return task;
  }
  void bring(PointRunner::Done done) {
    const std::lock_guard lock(mutex_);
    done_.push_back(std::move(done));
    if (done_.size() == 1) news_.notify_one();
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    ++left_;
    news_.notify_one();
  }
  /// What has been brought; waits a little where that is nothing. Runs of microseconds are collected for a few
  /// milliseconds, as long as workers have tasks: each collection is a transaction of the store.
  std::vector<PointRunner::Done> collect() {
    constexpr std::chrono::milliseconds patience{100}, together{5};
    std::unique_lock lock(mutex_);
    if (done_.empty()) news_.wait_for(lock, patience);
    if (!done_.empty()) news_.wait_for(lock, together, [this] { return tasks_.size() < most_ / 2; });
    return std::exchange(done_, {});
  }
  int left() {
    const std::lock_guard lock(mutex_);
    return left_;
  }
  void drop_tasks() {
    const std::lock_guard lock(mutex_);
    tasks_.clear();
  }

private:
  const std::size_t most_;
  std::mutex mutex_;
  std::condition_variable work_, news_;
  std::deque<StudyTask> tasks_;
  std::vector<PointRunner::Done> done_;
  bool closed_ = false;
  int left_ = 0;
};

void work(const LoadedStudy& study, const std::atomic<bool>& stop, Backlog& desk) {
  {
    PointRunner runner(study, &stop);
    while (const std::optional<StudyTask> task = desk.fetch()) {
      if (stop) break;
      PointRunner::Done done = runner.run(*task);
      if (!done.interrupted) desk.bring(std::move(done));
    }
  }
  desk.leave();
}

} // namespace

void work_in_threads(const LoadedStudy& study, int jobs, std::atomic<bool>& stop, const WorkGiver& giver) {
  Backlog desk(static_cast<std::size_t>(jobs) * 256);
  std::vector<std::thread> threads;
  for (int i = 0; i < jobs; ++i) threads.emplace_back([&] { work(study, stop, desk); });
  bool more = true;
  const auto end = [&] {
    more = false;
    desk.drop_tasks();
    desk.close();
  };
  while (desk.left() < jobs) {
    while (more && !stop && desk.room()) {
      std::optional<StudyTask> task = giver.next();
      if (task)
        desk.give(*std::move(task));
      else
        more = false, desk.close();
    }
    if (stop) end();
    if (!giver.take(desk.collect())) stop = true;
  }
  for (std::thread& thread : threads) thread.join();
  if (std::vector<PointRunner::Done> rest = desk.collect(); !rest.empty()) giver.take(std::move(rest));
}

} // namespace hilda::study
