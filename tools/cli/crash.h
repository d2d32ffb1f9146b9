#pragma once

namespace hilda::cli {

/// From now on, a fault or an exception that leaves a block's code says on stderr of which plugin the block is, before
/// it ends the program as ever: by its signal.
void tell_of_crashes();

} // namespace hilda::cli
