# SPDX-License-Identifier: BSD-3-Clause
import hilda


@hilda.block
class It(hilda.Block):
    u = hilda.Input(feedthrough=False)
    y = hilda.Output()

    def output(self, t):
        self.y = self.u
