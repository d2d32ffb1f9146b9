// SPDX-License-Identifier: BSD-3-Clause
#include "python/block_types/library.h"

#include "python/block_types/block_source.h"

#include <cstdlib>
#include <filesystem>

namespace hilda::python_blocks {
namespace {

PyObject* library = nullptr; ///< the module hilda.block

/// Of a virtual environment that is active, or the one that hilda was built for.
std::string program() {
  const char* const environment = std::getenv("VIRTUAL_ENV");
  if (environment == nullptr || *environment == 0) return HILDA_PYTHON_PROGRAM;
  const std::filesystem::path own = std::filesystem::path(environment) / "bin" / "python3";
  std::error_code failed;
  return std::filesystem::exists(own, failed) ? own.string() : HILDA_PYTHON_PROGRAM;
}

/// Without handlers of signals, without another locale and without a separate buffer for print: the process belongs
/// to hilda.
bool initialize() {
  PyPreConfig before;
  PyPreConfig_InitPythonConfig(&before);
  before.configure_locale = 0;
  before.coerce_c_locale = 0;
  before.utf8_mode = 1;
  if (PyStatus_Exception(Py_PreInitialize(&before)) != 0) return false;
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  config.install_signal_handlers = 0;
  config.parse_argv = 0;
  config.buffered_stdio = 0;
  config.write_bytecode = 0;
  PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, program().c_str());
  if (PyStatus_Exception(status) == 0) status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  return PyStatus_Exception(status) == 0;
}

/// A module of this text, in sys.modules.
PyObject* module_of(const char* name, const char* file, const std::string& source) {
  const Ref code(Py_CompileString(source.c_str(), file, Py_file_input));
  return code ? PyImport_ExecCodeModuleEx(name, code.get(), file) : nullptr;
}

/// What "import hilda" gives in the program: the part that declares blocks.
bool install_package() {
  const Ref package(module_of("hilda", "<hilda>", page_asset("program.py")));
  if (!package) return false;
  library = module_of("hilda.block", "hilda/block.py", page_asset("block.py"));
  if (library == nullptr) return false;
  const Ref done(PyObject_CallMethod(package.get(), "_take", "O", library));
  return static_cast<bool>(done);
}

} // namespace

bool start_interpreter() {
  if (Py_IsInitialized() == 0) {
    if (!initialize()) return false;
    const bool whole = install_package();
    if (!whole) PyErr_Print();
    PyEval_SaveThread();
    return whole;
  }
  const Hold hold;
  library = PyImport_ImportModule("hilda.block");
  if (library == nullptr) { // an interpreter of another program, without the package
    PyErr_Clear();
    if (!install_package()) PyErr_Print();
  }
  return library != nullptr;
}

PyObject* library_function(const char* name) { return PyObject_GetAttrString(library, name); }

PyObject* call_library(const char* name, PyObject* argument) {
  const Ref function(library_function(name));
  return function ? PyObject_CallOneArg(function.get(), argument) : nullptr;
}

namespace {

/// The package hilda.translation, of the files in block_types/translation: each imports only what is before it.
PyObject* load_translation() {
  const Ref package(module_of("hilda.translation", "hilda/translation/__init__.py", "__path__ = []\n"));
  PyObject* last = nullptr;
  for (const char* name :
       {"shapes", "block_class", "texts", "expressions", "arrays", "calls", "assignments", "statements", "request"}) {
    Py_XDECREF(last);
    const std::string file = std::string(name) + ".py";
    last = module_of(("hilda.translation." + std::string(name)).c_str(), ("hilda/translation/" + file).c_str(),
                     page_asset(file));
    if (last == nullptr) return nullptr;
  }
  return last;
}

} // namespace

PyObject* translator_function() {
  static PyObject* const module = load_translation();
  return module != nullptr ? PyObject_GetAttrString(module, "translation") : nullptr;
}

PyObject* take_error() {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  if (type == nullptr) return nullptr;
  PyErr_NormalizeException(&type, &value, &trace);
  if (trace != nullptr) PyException_SetTraceback(value, trace);
  Py_XDECREF(trace);
  Py_DECREF(type);
  return value;
}

} // namespace hilda::python_blocks
