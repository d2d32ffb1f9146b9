#ifndef HILDA_OUTPUT_H
#define HILDA_OUTPUT_H

// What a block writes on wires: Output and the repeated Outputs.

#include <hilda/storage.h>

namespace hilda {
inline namespace sdk1 {

/// An output. `y = expression` evaluates and stores.
template <typename T> class Output : public detail::Member<T, HILDA_OUTPUT> {
public:
  using detail::Member<T, HILDA_OUTPUT>::Member;
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
template <detail::BoundSize T> class Outputs {
  using Bound = detail::Bound<T>;

public:
  template <typename... Options>
  Outputs(detail::Owner, const char* name, const char* shape, const char* unit, const char* doc,
          const Options&... options) {
    detail::declare(detail::bound_slot<T>(HILDA_OUTPUT, name, shape, unit, doc, HILDA_REPEATED), this, options...);
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
