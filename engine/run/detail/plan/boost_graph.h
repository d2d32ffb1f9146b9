// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "engine/modules.h"
#include "engine/run/graph.h"

#include <boost/graph/compressed_sparse_row_graph.hpp>

namespace hilda::run {

/// The same edges for Boost's algorithms; a vertex is a node. Apart from graph.h, which many include: Boost takes
/// seconds to compile.
using BoostGraph = boost::compressed_sparse_row_graph<boost::directedS>;

BoostGraph boost_graph(const DependencyGraph& dependencies);

} // namespace hilda::run
