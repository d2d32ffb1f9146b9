# SPDX-License-Identifier: BSD-3-Clause
import hilda


@hilda.block
class It(hilda.Block):
    y = hilda.Output()

    def output(self, t):
        self.y = 1 / (t.index - 3)
