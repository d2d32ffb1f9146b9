# SPDX-License-Identifier: BSD-3-Clause
import hilda


@hilda.block
class It(hilda.Block):
    n = hilda.State(dtype=int)

    def update(self, t):
        self.n = 0.5
