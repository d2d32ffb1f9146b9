// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Trials whose input is the wave of references.py.

#include "tests/blocks/references.h"
#include "tests/blocks/trial.h"
#include "tests/blocks/wire.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>

namespace hilda::test {

/// The wave at tick k of 1 ms; `pace` ticks of it in one.
inline std::string wave(const std::string& name = "u", int pace = 1) {
  const auto times = [&](int rate) { return std::to_string(pace * rate) + "*t"; };
  return "<block name=\"clock_" + name + "\" type=\"sources/Clock\"/><block name=\"" + name +
         "\" type=\"math/Function\" expression=\"sin(" + times(300) + ") + 0.5*sin(" + times(1700) + " + 1)\"/>" +
         wire("clock_" + name + ".time", name + ".u");
}

/// A block `b` that is driven by the wave.
inline std::string waved(const std::string& type, const std::string& attributes) {
  return wave() + "<block name=\"b\" type=\"" + type + "\" " + attributes + "/>" + wire("u.y", "b.u");
}

/// The numbers of a reference, as an attribute writes them; rows of `columns` numbers end with ';'.
template <std::size_t N> std::string numbers(const double (&values)[N], std::size_t columns = 0) {
  std::string text;
  char number[40];
  for (std::size_t i = 0; i < N; ++i) {
    std::snprintf(number, sizeof number, "%.17g", values[i]);
    text += (i == 0 ? "" : " ") + std::string(number) + (columns > 0 && (i + 1) % columns == 0 ? ";" : "");
  }
  return text;
}

/// Tick by tick, all elements one after the other.
template <std::size_t N>
void expect_trace(const Trace& trace, const double (&wanted)[N], double tolerance, std::size_t every = 1) {
  ASSERT_GE(trace.ticks() * trace.width, (N / trace.width - 1) * every * trace.width);
  for (std::size_t i = 0; i < N; ++i) {
    const std::size_t tick = i / trace.width * every, element = i % trace.width;
    ASSERT_NEAR(trace.at(tick, element), wanted[i], tolerance * std::max(1.0, std::abs(wanted[i])))
        << "tick " << tick << " element " << element;
  }
}

} // namespace hilda::test
