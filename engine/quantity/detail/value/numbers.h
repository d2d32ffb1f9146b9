// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace hilda::quantity {

/// The numbers of a value, as in a std::vector. Most values are one number, which takes no memory.
class Numbers {
public:
  using value_type = double;
  using const_iterator = const double*;
  using size_type = std::size_t;

  Numbers() = default;
  Numbers(std::initializer_list<double> numbers) : Numbers(std::span(numbers.begin(), numbers.size())) {}
  Numbers(const std::vector<double>& numbers) : Numbers(std::span(numbers)) {}
  Numbers(const Numbers& other) : Numbers(std::span(other.data(), other.size())) {}
  Numbers(Numbers&& other) noexcept { swap(other); }
  Numbers& operator=(Numbers other) noexcept {
    swap(other);
    return *this;
  }
  ~Numbers() {
    if (capacity_ > 1) delete[] held_.many;
  }
  void swap(Numbers& other) noexcept {
    std::swap(held_, other.held_);
    std::swap(size_, other.size_), std::swap(capacity_, other.capacity_);
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  double* data() { return capacity_ > 1 ? held_.many : &held_.one; }
  const double* data() const { return capacity_ > 1 ? held_.many : &held_.one; }
  const double* begin() const { return data(); }
  const double* end() const { return data() + size_; }
  double& operator[](std::size_t i) { return data()[i]; }
  double operator[](std::size_t i) const { return data()[i]; }
  double front() const { return data()[0]; }
  double at(std::size_t i) const {
    if (i >= size_) throw std::out_of_range("there are fewer numbers");
    return data()[i];
  }

  void assign(std::size_t count, double number) {
    size_ = 0;
    grow(count);
    size_ = static_cast<std::uint32_t>(count);
    std::fill_n(data(), count, number);
  }
  void push_back(double number) {
    if (size_ == capacity_) grow(std::size_t{2} * capacity_);
    data()[size_++] = number;
  }

  operator std::vector<double>() const { return {begin(), end()}; }
  friend bool operator==(const Numbers& a, const Numbers& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }
  friend bool operator==(const Numbers& a, const std::vector<double>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

private:
  explicit Numbers(std::span<const double> numbers) {
    grow(numbers.size());
    std::copy(numbers.begin(), numbers.end(), data());
    size_ = static_cast<std::uint32_t>(numbers.size());
  }
  void grow(std::size_t count) {
    if (count <= capacity_) return;
    auto* larger = new double[count];
    std::copy(begin(), end(), larger);
    if (capacity_ > 1) delete[] held_.many;
    held_.many = larger;
    capacity_ = static_cast<std::uint32_t>(count);
  }

  union Held {
    double one;
    double* many;
  };
  Held held_{0.0};
  std::uint32_t size_ = 0, capacity_ = 1;
};

} // namespace hilda::quantity
