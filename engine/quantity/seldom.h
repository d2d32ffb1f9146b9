// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace hilda::quantity {

/// A text or a list that few of a hundred thousand elements have: eight bytes while it is empty. Read like a T, or by
/// `*`; changed as a whole, or by change().
template <class T> class Seldom {
public:
  Seldom() = default;
  template <class From>
  requires(std::is_convertible_v<From, T> && !std::is_same_v<From, Seldom>) Seldom(From from) {
    keep(T(std::move(from)));
  }
  Seldom(const Seldom& other) : kept_(other.empty() ? nullptr : std::make_unique<T>(*other)) {}
  Seldom(Seldom&&) noexcept = default;
  Seldom& operator=(Seldom other) noexcept {
    kept_.swap(other.kept_);
    return *this;
  }
  ~Seldom() = default;

  const T& operator*() const { return kept_ != nullptr ? *kept_ : none(); }
  operator const T&() const { return **this; }
  /// To change it in place.
  T& change() {
    if (kept_ == nullptr) kept_ = std::make_unique<T>();
    return *kept_;
  }
  void clear() { kept_.reset(); }

  bool empty() const { return kept_ == nullptr || kept_->empty(); }
  std::size_t size() const { return empty() ? 0 : kept_->size(); }
  auto begin() const { return (**this).begin(); }
  auto end() const { return (**this).end(); }
  const auto& operator[](std::size_t index) const { return (**this)[index]; }

  friend bool operator==(const Seldom& a, const Seldom& b) { return *a == *b; }

private:
  static const T& none() {
    static const T nothing{};
    return nothing;
  }
  void keep(T value) {
    if (!value.empty()) kept_ = std::make_unique<T>(std::move(value));
  }
  std::unique_ptr<T> kept_;
};

} // namespace hilda::quantity
