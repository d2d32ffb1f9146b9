# SPDX-License-Identifier: BSD-3-Clause
import hilda


@hilda.block
class It(hilda.Block):
    gain = hilda.Parameter(default=1)

    def update(self, t):
        self.gain = 2
