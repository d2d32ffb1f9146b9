# SPDX-License-Identifier: BSD-3-Clause
import hilda


@hilda.block
class It(hilda.Block):
    y = hilda.Output()
    x = hilda.State(continuous=True, modal=True)

    def output(self, t):
        self.y = self.x

    def derivatives(self, t):
        self.x_dot = 1.0
