#include "python/interpreter/installation.h"

#include <dlfcn.h>

namespace hilda::python {

Installation& installation() {
  static Installation found = [] {
    Dl_info module{};
    const bool known = dladdr(reinterpret_cast<const void*>(&installation), &module) != 0;
    return Installation(known ? module.dli_fname : "");
  }();
  return found;
}

} // namespace hilda::python
