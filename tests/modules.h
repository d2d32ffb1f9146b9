// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Tests and benchmarks look at every module: its names are theirs.

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
namespace graphics {}
namespace studio {}
namespace fmi {}
namespace cli {}
namespace embed {}
namespace python {}

using namespace base;
using namespace quantity;
using namespace catalogue;
using namespace diagram;
using namespace log;
using namespace plugin;
using namespace compile;
using namespace run;
using namespace session;
using namespace analysis;
using namespace study;
using namespace authoring;
using namespace graphics;
using namespace studio;
using namespace fmi;
using namespace cli;
using namespace embed;
using namespace python;

} // namespace hilda
