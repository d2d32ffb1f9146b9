// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/diagrams/diagram_run.h"

#include <cstddef>
#include <hilda/frames.h>
#include <string>

namespace hilda::test {

/// Three numbers of a signal of `width`, from the `first` on.
inline Vector3 vector_at(const DiagramRun& r, const std::string& signal, std::size_t tick, std::size_t width,
                         std::size_t first) {
  return Vector3(r.at(signal, tick, width, first), r.at(signal, tick, width, first + 1),
                 r.at(signal, tick, width, first + 2));
}

inline Pose pose_at(const DiagramRun& r, const std::string& signal, std::size_t tick) {
  Pose pose;
  pose.position = vector_at(r, signal, tick, 7, 0);
  pose.orientation = Quaternion(r.at(signal, tick, 7, 3), r.at(signal, tick, 7, 4), r.at(signal, tick, 7, 5),
                                r.at(signal, tick, 7, 6));
  return pose;
}

} // namespace hilda::test
