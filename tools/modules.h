// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"

// The same for tools and Python: as cmake/ declares it.

namespace hilda {

namespace graphics {}
namespace studio {}
namespace fmi {}
namespace cli {}
namespace embed {}
namespace python {}

namespace graphics {
using namespace run;
using namespace log;
using namespace study;
} // namespace graphics
namespace studio {
using namespace session;
using namespace authoring;
using namespace graphics;
} // namespace studio
namespace fmi {
using namespace session;
}
namespace cli {
using namespace study;
using namespace analysis;
using namespace authoring;
using namespace graphics;
using namespace studio;
using namespace fmi;
} // namespace cli
namespace embed {
using namespace cli;
}
namespace python {
using namespace cli;
}

} // namespace hilda
