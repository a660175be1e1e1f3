#include <Python.h> // before any other header, as it asks for

#include "app/insitu/catalyst/python.hpp"

#include "prelude.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>

namespace corral::catalyst {

void make_python_visible() {
  if (!dlopen(CORRAL_LIBPYTHON, RTLD_NOW | RTLD_GLOBAL)) throw std::runtime_error(dlerror());
  // As with `python -i`, SystemExit is an exception like others and not the end of the process.
  ::setenv("PYTHONINSPECT", "1", 1);
}

void prepare_python() {
  ::unsetenv("PYTHONINSPECT"); // it was meant for this interpreter alone
  if (!Py_IsInitialized()) throw std::runtime_error("ParaView has not started Python");
  if (PyRun_SimpleString(prelude) != 0) throw std::runtime_error("ParaView's Python modules cannot be loaded");
}

std::string take_failure() {
  if (PyErr_Occurred()) PyErr_Print(); // nobody did; the hook is told of it
  std::string failure;
  PyObject* said = PySys_GetObject("corral_failure"); // borrowed
  if (said && PyUnicode_Check(said)) {
    if (const char* text = PyUnicode_AsUTF8(said)) failure = text;
    else PyErr_Clear();
  }
  PySys_SetObject("corral_failure", Py_None);
  return failure;
}

} // namespace corral::catalyst
