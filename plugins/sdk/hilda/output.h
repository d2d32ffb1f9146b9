// SPDX-License-Identifier: BSD-3-Clause
#ifndef HILDA_OUTPUT_H
#define HILDA_OUTPUT_H

// What a block writes on wires: Output and the repeated Outputs.

#include <hilda/storage.h>

namespace hilda {
inline namespace sdk1 {

/// An output. `y = expression` evaluates and stores.
template <typename T> class Output : public detail::Member<T, HILDA_OUTPUT> {
public:
  /// Not inherited: GCC names the line of a mistake only where the constructor is the class's own.
  template <typename... Arguments>
  Output(detail::Owner owner, const Arguments&... arguments) : detail::Member<T, HILDA_OUTPUT>(owner, arguments...) {}
  template <typename E> Output& operator=(const E& e) {
    this->set(e);
    return *this;
  }
  Output& operator=(const Output& other) {
    this->set(*other);
    return *this;
  }
};

/// An output given as often as the diagram says: y[0], y[1]...
template <typename T> class Outputs : detail::SizedByDiagram<T, false> {
public:
  template <typename... Any> Outputs(detail::Owner, const Any&...) {}
};
template <detail::BoundSize T> class Outputs<T> {
  using Bound = detail::Bound<T>;

public:
  template <typename... Options>
  Outputs(detail::Owner, const char* name, const char* shape, const char* unit, const char* doc,
          const Options&... options) {
    detail::declare(detail::bound_slot<T>(HILDA_OUTPUT, name, shape, unit, doc, HILDA_REPEATED), this, options...);
  }
  template <typename... Wrong> Outputs(detail::Owner, const Wrong&...) {
    static_assert(detail::never<Wrong...>, "hilda: a repeated port is declared as {*this, \"name\", \"shape\", "
                                           "\"unit\", \"docstring\", attributes...}; the shape of items that are "
                                           "numbers is \"\"");
  }
  Eigen::Index size() const { return static_cast<Eigen::Index>(arrays_.count); }
  detail::CheckedView<typename Bound::View> operator[](Eigen::Index i) {
    const hilda_array& a = arrays_.items[i];
    return {Bound::view(static_cast<typename Bound::Raw*>(a.data), a.rows, a.cols), {this, i}};
  }

private:
  hilda_arrays arrays_{};
};

} // namespace sdk1
} // namespace hilda

#endif
