// SPDX-License-Identifier: BSD-3-Clause
#include "python/block_types/record.h"

#include <cmath>
#include <set>

namespace hilda::python_blocks {
namespace {

RecordObject* self(PyObject* object) { return reinterpret_cast<RecordObject*>(object); }
TickObject* tick(PyObject* object) { return reinterpret_cast<TickObject*>(object); }

void forget_views(RecordObject& object) {
  if (object.views == nullptr) return;
  for (std::size_t i = 0; i < 2 * object.type->members.size(); ++i) Py_CLEAR(object.views[i]);
  delete[] std::exchange(object.views, nullptr);
}

void dealloc(PyObject* object) {
  RecordObject& r = *self(object);
  forget_views(r);
  Py_XDECREF(r.path);
  Py_XDECREF(reinterpret_cast<PyObject*>(r.tick));
  delete r.saved;
  PyTypeObject* const type = Py_TYPE(object);
  type->tp_free(object);
  Py_DECREF(type);
}

PyObject* period(PyObject* o, void*) { return PyFloat_FromDouble(self(o)->period); }
PyObject* seed(PyObject* o, void*) { return PyLong_FromUnsignedLongLong(self(o)->seed); }
PyObject* simulated(PyObject* o, void*) { return PyBool_FromLong(self(o)->simulated ? 1 : 0); }
PyObject* path(PyObject* o, void*) {
  return self(o)->path != nullptr ? Ref::to(self(o)->path).release() : PyUnicode_FromString("");
}

/// Attributes that are not declared members: a checkpoint would lose what the loop writes there.
int set_attribute(PyObject* object, PyObject* name, PyObject* value) {
  const Phase phase = self(object)->phase;
  if (phase >= Phase::output && _PyType_Lookup(Py_TYPE(object), name) == nullptr) {
    PyErr_Format(PyExc_AttributeError,
                 "%U is not a state of %s, and a checkpoint would lose it: declare %U = hilda.State(), or set it in "
                 "configure, prepare or start",
                 name, self(object)->type->name.c_str(), name);
    return -1;
  }
  return PyObject_GenericSetAttr(object, name, value);
}

PyGetSetDef record_properties[] = {{"path", &path, nullptr, "Of the block in the diagram", nullptr},
                                   {"period", &period, nullptr, "s, its sample time", nullptr},
                                   {"seed", &seed, nullptr, "Of its path alone", nullptr},
                                   {"simulated", &simulated, nullptr, "True: no device is there", nullptr},
                                   {nullptr, nullptr, nullptr, nullptr, nullptr}};

/// The tick, or null with an error after the phase.
const hilda_tick* now_of(PyObject* object) {
  if (tick(object)->now == nullptr) PyErr_SetString(PyExc_RuntimeError, "t is valid during the call that has it");
  return tick(object)->now;
}

PyObject* tick_time(PyObject* o, void*) {
  const hilda_tick* const now = now_of(o);
  return now != nullptr ? PyFloat_FromDouble(now->time) : nullptr;
}
PyObject* tick_period(PyObject* o, void*) {
  const hilda_tick* const now = now_of(o);
  return now != nullptr ? PyFloat_FromDouble(now->period) : nullptr;
}
PyObject* tick_index(PyObject* o, void*) {
  const hilda_tick* const now = now_of(o);
  return now != nullptr ? PyLong_FromLongLong(now->index) : nullptr;
}
PyObject* tick_minor(PyObject* o, void*) {
  const hilda_tick* const now = now_of(o);
  return now != nullptr ? PyBool_FromLong(now->minor) : nullptr;
}
PyObject* tick_located(PyObject* o, void*) {
  const hilda_tick* const now = now_of(o);
  return now != nullptr ? PyBool_FromLong(static_cast<long>(now->located)) : nullptr;
}

PyObject* end(PyObject* o, PyObject* text, hilda_verdict verdict) {
  const hilda_tick* const now = now_of(o);
  if (now == nullptr) return nullptr;
  const char* const words = PyUnicode_AsUTF8(text);
  if (words == nullptr) return nullptr;
  if (now->control->verdict == HILDA_GO) {
    now->control->verdict = verdict;
    now->control->record = tick(o)->record;
    now->control->text = kept_for_ever(words);
    now->control->value = std::nan("");
  }
  Py_RETURN_NONE;
}
PyObject* tick_stop(PyObject* o, PyObject* text) { return end(o, text, HILDA_STOP); }
PyObject* tick_fail(PyObject* o, PyObject* text) { return end(o, text, HILDA_FAIL); }

PyGetSetDef tick_properties[] = {{"time", &tick_time, nullptr, "s since tick 0", nullptr},
                                 {"period", &tick_period, nullptr, "s, the block's sample time", nullptr},
                                 {"index", &tick_index, nullptr, "How many of them have passed", nullptr},
                                 {"minor", &tick_minor, nullptr, "True between two ticks of a solver", nullptr},
                                 {"located", &tick_located, nullptr, "True where crossings are located", nullptr},
                                 {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyMethodDef tick_methods[] = {{"stop", &tick_stop, METH_O, "Ends the run: it has reached its goal."},
                              {"fail", &tick_fail, METH_O, "Ends the run as failed."},
                              {nullptr, nullptr, 0, nullptr}};

PyTypeObject* made(PyType_Spec& spec) { return reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&spec)); }

} // namespace

PyTypeObject* record_class() {
  static PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(&dealloc)},
                                {Py_tp_setattro, reinterpret_cast<void*>(&set_attribute)},
                                {Py_tp_getset, record_properties},
                                {0, nullptr}};
  static PyType_Spec spec{"hilda.Record", sizeof(RecordObject), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  static PyTypeObject* const type = made(spec);
  return type;
}

PyTypeObject* tick_class() {
  static PyType_Slot slots[] = {{Py_tp_getset, tick_properties}, {Py_tp_methods, tick_methods}, {0, nullptr}};
  static PyType_Spec spec{"hilda.Tick", sizeof(TickObject), 0, Py_TPFLAGS_DEFAULT, slots};
  static PyTypeObject* const type = made(spec);
  return type;
}

RecordObject* object_of(void* record) {
  Head& head = *static_cast<Head*>(record);
  if (head.object != nullptr) return head.object;
  PyObject* const object = PyObject_CallNoArgs(head.type->bound);
  if (object == nullptr) return nullptr;
  RecordObject* const r = self(object);
  r->record = static_cast<char*>(record);
  r->type = head.type;
  r->views = new PyObject* [2 * head.type->members.size() + 1] {};
  r->saved = new std::vector<char>;
  r->tick = PyObject_New(TickObject, tick_class());
  r->tick->now = nullptr;
  r->tick->record = record;
  return head.object = r;
}

void let_go(void* record) {
  Head& head = *static_cast<Head*>(record);
  if (head.object == nullptr) return;
  RecordObject* const object = std::exchange(head.object, nullptr);
  forget_views(*object);
  object->record = nullptr;
  Py_DECREF(reinterpret_cast<PyObject*>(object));
}

const char* kept_for_ever(const std::string& text) {
  static auto* const all = new std::set<std::string>;
  return all->insert(text).first->c_str();
}

} // namespace hilda::python_blocks
