# SPDX-License-Identifier: BSD-3-Clause
import hilda


@hilda.block
class It(hilda.Block):
    y = hilda.Output()
    x = hilda.State(modal=True)

    def output(self, t):
        self.y = self.x

    def event(self, t, fired):
        self.x = 1.0
