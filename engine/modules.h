// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Each module has its namespace, in which the names of the modules that it uses are its own: as cmake/Engine.cmake
// declares it.

namespace hilda {

namespace base {}
namespace quantity {}
namespace catalogue {}
namespace diagram {}
namespace log {}
namespace plugin {}
namespace compile {}
namespace run {}
namespace session {}
namespace analysis {}
namespace study {}
namespace authoring {}

namespace quantity {
using namespace base;
}
namespace catalogue {
using namespace quantity;
}
namespace diagram {
using namespace catalogue;
}
namespace log {
using namespace diagram;
}
namespace plugin {
using namespace diagram;
}
namespace compile {
using namespace plugin;
using namespace log;
} // namespace compile
namespace run {
using namespace compile;
}
namespace session {
using namespace run;
using namespace log;
} // namespace session
namespace analysis {
using namespace run;
}
namespace study {
using namespace session;
using namespace log;
} // namespace study
namespace authoring {
using namespace compile;
}

} // namespace hilda
