# SPDX-License-Identifier: BSD-3-Clause
import hilda


@hilda.block
class It(hilda.Block):
    y = hilda.Output()
    x = hilda.State()
    c = hilda.Crossing()

    def output(self, t):
        self.y = self.x
        self.c = self.x - 0.5

    def update(self, t):
        self.x = self.x + 0.1
