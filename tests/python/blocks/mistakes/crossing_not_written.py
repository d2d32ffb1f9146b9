# SPDX-License-Identifier: BSD-3-Clause
import hilda


@hilda.block
class It(hilda.Block):
    x = hilda.State(continuous=True)
    c = hilda.Crossing()

    def derivatives(self, t):
        self.x_dot = 1.0
