# SPDX-License-Identifier: BSD-3-Clause
import hilda


@hilda.block
class It(hilda.Block):
    y = hilda.Output()
    c = hilda.Crossing()
    c_side = hilda.Parameter(default=1)

    def output(self, t):
        self.y = self.c_side
        self.c = t.time - 0.5
