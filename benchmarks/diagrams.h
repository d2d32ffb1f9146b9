// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

namespace hilda::bench {

/// Scalar gains, one behind the other: g0, g1...
std::string chain_diagram(std::size_t gains);
/// PID controllers pid0... each with a plant of second order.
std::string loops_diagram(std::size_t count);
/// 6x6 matrices times a vector, one behind the other: k0, k1...
std::string matrices_diagram(std::size_t count);
/// benchmarks/pida.xml
std::string pida_diagram();
/// diagrams/force_torque_control.xml with a pseudo-inverse and a sphere so soft that the arm never drifts into a
/// singularity, however long it runs.
std::string force_torque_diagram(const std::string& pseudo_inverse);
/// diagrams/NAME.xml, which does not end by itself.
std::string shipped_diagram(const std::string& name);
/// As near to `blocks` as whole cells of five go: difference, PID, gain, saturation and delay, closed to a loop, each
/// cell led by the one before.
std::string large_diagram(std::size_t blocks);

} // namespace hilda::bench
