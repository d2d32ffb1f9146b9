// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_TYPES_H
#define HILDA_TYPES_H

// The values that travel on wires. Orders, frames and signs: docs/conventions.md.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>
#include <hilda/abi.h>
#include <type_traits>

namespace hilda {
inline namespace sdk1 {

inline constexpr int Dynamic = Eigen::Dynamic;

// Unaligned everywhere: the layout of a record must not depend on the instruction set a plugin is built for.
template <int Rows, int Cols = 1>
using Fixed = Eigen::Matrix<double, Rows, Cols, Eigen::ColMajor | Eigen::DontAlign, Rows, Cols>;
using Vector3 = Fixed<3>;
using Vector6 = Fixed<6>;
using Matrix3 = Fixed<3, 3>;
using Matrix6 = Fixed<6, 6>;
using Quaternion = Eigen::Quaternion<double, Eigen::DontAlign>;

/// A vector or matrix whose size the diagram decides.
using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1>;
using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic>;

/// A signal of any shape, taken element by element; N fixes the number of elements at compile time.
template <int N = Eigen::Dynamic> struct Elements {};

/// Force (N, world axes) and torque (N m, body axes) about the body's origin, exerted by the environment on the tool.
struct Wrench : Vector6 {
  Wrench() { setZero(); }
  template <typename Derived> Wrench(const Eigen::MatrixBase<Derived>& other) : Vector6(other) {}
  Wrench(const Vector3& f, const Vector3& t) { *this << f, t; }
  auto force() { return head<3>(); }
  auto force() const { return head<3>(); }
  auto torque() { return tail<3>(); }
  auto torque() const { return tail<3>(); }
};

/// Velocity of the body's origin (m/s, world axes) and angular velocity (rad/s, body axes).
struct Twist : Vector6 {
  Twist() { setZero(); }
  template <typename Derived> Twist(const Eigen::MatrixBase<Derived>& other) : Vector6(other) {}
  Twist(const Vector3& v, const Vector3& w) { *this << v, w; }
  auto linear() { return head<3>(); }
  auto linear() const { return head<3>(); }
  auto angular() { return tail<3>(); }
  auto angular() const { return tail<3>(); }
};

/// Position of the body's origin in the world (m) and the rotation from body to world axes.
struct Pose {
  Vector3 position = Vector3::Zero();
  Quaternion orientation = Quaternion::Identity();
};

/// Text, file and choice parameters.
struct Text {};
struct Expression {};
struct Path {};
struct Choice {};

namespace detail {

/// False for every type: for messages about a template's arguments.
template <typename...> inline constexpr bool never = false;

/// How a C++ type lies in a record: element type, number of elements, shape, and how it is read and written.
template <typename T> struct Codec;

template <> struct Codec<double> {
  using Raw = double;
  static constexpr hilda_element element = HILDA_F64;
  static constexpr int rows = 1, cols = 1;
  static constexpr hilda_kind kind = HILDA_PLAIN;
  static double load(const double* p) { return *p; }
  static void store(double* p, double v) { *p = v; }
};
template <> struct Codec<bool> {
  using Raw = std::uint8_t;
  static constexpr hilda_element element = HILDA_U8;
  static constexpr int rows = 1, cols = 1;
  static constexpr hilda_kind kind = HILDA_PLAIN;
  static bool load(const std::uint8_t* p) { return *p != 0; }
  static void store(std::uint8_t* p, bool v) { *p = v ? 1 : 0; }
};
template <> struct Codec<std::int64_t> {
  using Raw = std::int64_t;
  static constexpr hilda_element element = HILDA_I64;
  static constexpr int rows = 1, cols = 1;
  static constexpr hilda_kind kind = HILDA_PLAIN;
  static std::int64_t load(const std::int64_t* p) { return *p; }
  static void store(std::int64_t* p, std::int64_t v) { *p = v; }
};
template <> struct Codec<std::uint64_t> {
  using Raw = std::uint64_t;
  static constexpr hilda_element element = HILDA_U64;
  static constexpr int rows = 1, cols = 1;
  static constexpr hilda_kind kind = HILDA_PLAIN;
  static std::uint64_t load(const std::uint64_t* p) { return *p; }
  static void store(std::uint64_t* p, std::uint64_t v) { *p = v; }
};
template <typename M, int R, int C, hilda_kind K> struct EigenCodec {
  using Raw = double;
  static constexpr hilda_element element = HILDA_F64;
  static constexpr int rows = R, cols = C;
  static constexpr hilda_kind kind = K;
  static M load(const double* p) { return Eigen::Map<const Fixed<R, C>>(p); }
  static void store(double* p, const M& v) {
    Eigen::Map<Fixed<R, C>> to(p);
    to = v;
  }
};
template <int R, int C, int O, int MR, int MC>
requires(R > 0 && C > 0) struct Codec<Eigen::Matrix<double, R, C, O, MR, MC>>
    : EigenCodec<Eigen::Matrix<double, R, C, O, MR, MC>, R, C, HILDA_PLAIN> {
};
template <> struct Codec<Wrench> : EigenCodec<Wrench, 6, 1, HILDA_WRENCH> {};
template <> struct Codec<Twist> : EigenCodec<Twist, 6, 1, HILDA_TWIST> {};
template <int O> struct Codec<Eigen::Quaternion<double, O>> {
  using Q = Eigen::Quaternion<double, O>;
  using Raw = double;
  static constexpr hilda_element element = HILDA_F64;
  static constexpr int rows = 4, cols = 1;
  static constexpr hilda_kind kind = HILDA_QUATERNION;
  static Q load(const double* p) { return Q(p[0], p[1], p[2], p[3]); }
  static void store(double* p, const Q& q) { p[0] = q.w(), p[1] = q.x(), p[2] = q.y(), p[3] = q.z(); }
};
template <> struct Codec<Pose> {
  using Raw = double;
  static constexpr hilda_element element = HILDA_F64;
  static constexpr int rows = 7, cols = 1;
  static constexpr hilda_kind kind = HILDA_POSE;
  static Pose load(const double* p) {
    Pose pose;
    pose.position = Eigen::Map<const Vector3>(p);
    pose.orientation = Codec<Quaternion>::load(p + 3);
    return pose;
  }
  static void store(double* p, const Pose& pose) {
    Eigen::Map<Vector3> position(p);
    position = pose.position;
    Codec<Quaternion>::store(p + 3, pose.orientation);
  }
};

template <typename T>
concept FixedSize = requires {
  typename Codec<T>::Raw;
};

/// That of double for a type that has none: the words of KnownElements are then the only error.
template <typename T> using KnownCodec = std::conditional_t<FixedSize<T>, Codec<T>, Codec<double>>;

/// Says which types a port, parameter or state can have.
template <typename T, bool Known> struct KnownElements {
  static_assert(Known, "hilda: no such elements: take double, bool, std::int64_t, std::uint64_t, Vector3 or another "
                       "fixed Eigen vector or matrix of double, Wrench, Twist, Pose or Quaternion; where the diagram "
                       "decides the size, Vector, Matrix, Elements<>, Booleans or Integers");
};

/// Says which types a repeated port can have.
template <typename T, bool Known> struct SizedByDiagram {
  static_assert(Known, "hilda: the items of a repeated port have the size that the diagram decides: take Vector, "
                       "Matrix, Elements<>, Booleans or Integers; the shape of items that are numbers is \"\"");
};

} // namespace detail

/// A value as its numbers in a row, in the order of docs/conventions.md: for a Ring of poses, say.
template <detail::FixedSize T> T load_value(const typename detail::Codec<T>::Raw* from) {
  return detail::Codec<T>::load(from);
}
template <detail::FixedSize T> void store_value(typename detail::Codec<T>::Raw* to, const T& value) {
  detail::Codec<T>::store(to, value);
}
} // namespace sdk1
} // namespace hilda

#endif
