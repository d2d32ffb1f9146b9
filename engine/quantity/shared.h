// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <atomic>
#include <optional>
#include <utility>

namespace hilda::quantity {

/// A value that does not change, or none: used like a std::optional, in eight bytes, and copies share it. Any thread.
template <class T> class Shared {
public:
  Shared() = default;
  Shared(std::nullopt_t) {}
  Shared(T value) : counted_(new Counted{{1}, std::move(value)}) {}
  Shared(const std::optional<T>& value) : counted_(value ? new Counted{{1}, *value} : nullptr) {}
  Shared(const Shared& other) noexcept : counted_(other.counted_) {
    if (counted_ != nullptr) counted_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  Shared(Shared&& other) noexcept : counted_(std::exchange(other.counted_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(counted_, other.counted_);
    return *this;
  }
  ~Shared() {
    if (counted_ != nullptr && counted_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete counted_;
  }

  bool has_value() const { return counted_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  const T& operator*() const { return counted_->value; }
  const T* operator->() const { return &counted_->value; }
  T value_or(T other) const { return has_value() ? **this : std::move(other); }
  operator std::optional<T>() const { return has_value() ? std::optional<T>(**this) : std::nullopt; }

  friend bool operator==(const Shared& a, const Shared& b) {
    return a.counted_ == b.counted_ || (a.has_value() && b.has_value() && *a == *b);
  }

private:
  struct Counted {
    std::atomic<int> owners;
    T value;
  };
  Counted* counted_ = nullptr;
};

} // namespace hilda::quantity
