// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tools/modules.h"

// The interpreter's C functions, and what keeps a reference and the interpreter's lock.

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <utility>

namespace hilda::python_blocks {

/// Owns a reference; null after an error.
class Ref {
public:
  Ref() = default;
  explicit Ref(PyObject* owned) : object_(owned) {}
  static Ref to(PyObject* borrowed) {
    Py_XINCREF(borrowed);
    return Ref(borrowed);
  }
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { Py_XDECREF(object_); }
  PyObject* get() const { return object_; }
  PyObject* release() { return std::exchange(object_, nullptr); }
  explicit operator bool() const { return object_ != nullptr; }

private:
  PyObject* object_ = nullptr;
};

/// Is there an interpreter that can still run something? At the end of a process there is none.
inline bool alive() { return Py_IsInitialized() != 0 && _Py_IsFinalizing() == 0; }

/// Holds the interpreter's lock. A thread keeps what the interpreter knows of it: to create that again for each call
/// takes longer than the call.
class Hold {
public:
  Hold() {
    thread_local bool known = false;
    if (!known) {
      known = true;
      if (PyGILState_GetThisThreadState() == nullptr) {
        PyGILState_Ensure();
        PyEval_SaveThread();
      }
    }
    state_ = PyGILState_Ensure();
  }
  ~Hold() { PyGILState_Release(state_); }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;

private:
  PyGILState_STATE state_;
};

} // namespace hilda::python_blocks
