# SPDX-License-Identifier: BSD-3-Clause
"""Blocks that are in reference.cpp, too, with the same equations."""

import hilda


@hilda.block(doc="First-order filter.")
class Filter(hilda.Block):
    u = hilda.Input("@u", doc="Signal")
    y = hilda.Output("@u", doc="Filtered")
    tau = hilda.Parameter("s", doc="Time constant", default="10 ms", above=0.0, live=True)
    x = hilda.State("@u", doc="Value")

    def output(self, t):
        self.y = self.x

    def update(self, t):
        self.x = self.x + t.period / self.tau * (self.u - self.x)


@hilda.block
class Oscillator(hilda.Block):
    """Mass with spring and damper."""

    u = hilda.Input(doc="Push")
    y = hilda.Output(doc="Position")
    stiffness = hilda.Parameter(doc="Of the spring", default=40)
    damping = hilda.Parameter(doc="Of the damper", default=0.3)
    x = hilda.State(doc="Position", continuous=True)
    v = hilda.State(doc="Velocity", continuous=True)

    def initialize(self):
        self.x = 0.25

    def output(self, t):
        self.y = self.x

    def derivatives(self, t):
        self.x_dot = self.v
        self.v_dot = self.u - self.stiffness * self.x - self.damping * self.v


@hilda.block(doc="Smooths each of several signals.")
class Smooth(hilda.Block):
    u = hilda.Input("@u", "n", "Signals")
    y = hilda.Output("@u", "n", "Smoothed")
    share = hilda.Parameter(doc="Of what is new", default=0.25, minimum=0.0, maximum=1.0)
    x = hilda.State("@u", "n", "Values")

    def output(self, t):
        self.y = self.x + self.share * (self.u - self.x)

    def update(self, t):
        self.x[:] = self.y


@hilda.block(doc="Ends the run when its input is large.")
class Goal(hilda.Block):
    u = hilda.Input("@u")
    level = hilda.Parameter("@u", default="1")
    label = hilda.Parameter(dtype=str, default="goal")
    side = hilda.Parameter(choices=("above", "below"), default="above")
    count = hilda.State(dtype=int)
    passed = hilda.State(dtype=bool)

    def update(self, t):
        self.count += 1
        self.passed = self.u > self.level if self.side == "above" else self.u < self.level
        if self.passed:
            t.stop(f"{self.label} after {self.count} ticks")
