# SPDX-License-Identifier: BSD-3-Clause
# options: --solver dopri5
import hilda


@hilda.block
class It(hilda.Block):
    y = hilda.Output()
    x = hilda.State(continuous=True)
    c = hilda.Crossing()

    def output(self, t):
        self.y = self.x
        self.c = self.x - 0.005

    def derivatives(self, t):
        self.x_dot = 1.0

    def event(self, t, fired):
        self.x = float(fired.direction("cc"))
