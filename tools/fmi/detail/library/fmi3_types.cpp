// SPDX-License-Identifier: BSD-3-Clause
// The functions of FMI 3.0 for types of variables that no diagram has. They have the standard's arguments; none asked
// for is all right, and any other call is refused.
#include "tools/fmi/detail/library/component.h"

#include <cstddef>
#include <cstdint>

namespace hilda::fmi {
namespace {

int none(void* component, const char* function, const Reference* references, std::size_t count,
         const char* type) noexcept {
  return on(component, function, [&](Component& its) {
    if (count == 0) return Component::ok;
    const Reference first = *needed(references, count, "valueReferences");
    throw refusal(
        "fmi-type",
        fmt::format("'{}' (value reference {}) is not of the type {}", its.instance->variable(first).name, first, type),
        "take the function of its type in modelDescription.xml");
  });
}

} // namespace
} // namespace hilda::fmi

using hilda::fmi::none;
using hilda::fmi::Reference;

extern "C" {

int fmi3GetFloat32(void* c, const Reference* vr, std::size_t n, float*, std::size_t) {
  return none(c, __func__, vr, n, "Float32");
}
int fmi3GetInt8(void* c, const Reference* vr, std::size_t n, std::int8_t*, std::size_t) {
  return none(c, __func__, vr, n, "Int8");
}
int fmi3GetUInt8(void* c, const Reference* vr, std::size_t n, std::uint8_t*, std::size_t) {
  return none(c, __func__, vr, n, "UInt8");
}
int fmi3GetInt16(void* c, const Reference* vr, std::size_t n, std::int16_t*, std::size_t) {
  return none(c, __func__, vr, n, "Int16");
}
int fmi3GetUInt16(void* c, const Reference* vr, std::size_t n, std::uint16_t*, std::size_t) {
  return none(c, __func__, vr, n, "UInt16");
}
int fmi3GetInt32(void* c, const Reference* vr, std::size_t n, std::int32_t*, std::size_t) {
  return none(c, __func__, vr, n, "Int32");
}
int fmi3GetUInt32(void* c, const Reference* vr, std::size_t n, std::uint32_t*, std::size_t) {
  return none(c, __func__, vr, n, "UInt32");
}
int fmi3SetFloat32(void* c, const Reference* vr, std::size_t n, const float*, std::size_t) {
  return none(c, __func__, vr, n, "Float32");
}
int fmi3SetInt8(void* c, const Reference* vr, std::size_t n, const std::int8_t*, std::size_t) {
  return none(c, __func__, vr, n, "Int8");
}
int fmi3SetUInt8(void* c, const Reference* vr, std::size_t n, const std::uint8_t*, std::size_t) {
  return none(c, __func__, vr, n, "UInt8");
}
int fmi3SetInt16(void* c, const Reference* vr, std::size_t n, const std::int16_t*, std::size_t) {
  return none(c, __func__, vr, n, "Int16");
}
int fmi3SetUInt16(void* c, const Reference* vr, std::size_t n, const std::uint16_t*, std::size_t) {
  return none(c, __func__, vr, n, "UInt16");
}
int fmi3SetInt32(void* c, const Reference* vr, std::size_t n, const std::int32_t*, std::size_t) {
  return none(c, __func__, vr, n, "Int32");
}
int fmi3SetUInt32(void* c, const Reference* vr, std::size_t n, const std::uint32_t*, std::size_t) {
  return none(c, __func__, vr, n, "UInt32");
}
int fmi3GetBinary(void* c, const Reference* vr, std::size_t n, std::size_t*, const std::uint8_t**, std::size_t) {
  return none(c, __func__, vr, n, "Binary");
}
int fmi3SetBinary(void* c, const Reference* vr, std::size_t n, const std::size_t*, const std::uint8_t* const*,
                  std::size_t) {
  return none(c, __func__, vr, n, "Binary");
}
int fmi3GetClock(void* c, const Reference* vr, std::size_t n, bool*) { return none(c, __func__, vr, n, "Clock"); }
int fmi3SetClock(void* c, const Reference* vr, std::size_t n, const bool*) { return none(c, __func__, vr, n, "Clock"); }
}
