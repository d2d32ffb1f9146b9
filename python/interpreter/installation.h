#pragma once

#include "engine/host/installation.h"

namespace hilda::python {

/// Where the module lies. To be called with the interpreter's lock held.
Installation& installation();

} // namespace hilda::python
