# SPDX-License-Identifier: BSD-3-Clause
import hilda


@hilda.block
class It(hilda.Block):
    y = hilda.Output()
    x = hilda.State()

    def output(self, t):
        self.x = self.x + 1
        self.y = self.x
