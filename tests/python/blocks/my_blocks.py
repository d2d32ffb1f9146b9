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


@hilda.block(doc="Turns on above one limit and off below another.")
class Switch(hilda.Block):
    upper = hilda.Parameter("@u", doc="Turns on above it", default=0.5)
    lower = hilda.Parameter("@u", doc="Turns off below it", default=-0.5)
    u = hilda.Input("@u", doc="Signal")
    on = hilda.Output(dtype=bool, doc="Above the upper limit last")
    held = hilda.State(dtype=bool, modal=True, doc="The mode")
    distance = hilda.Crossing("@u", doc="How far the signal is beyond the limit that counts now")

    def beyond(self):
        return self.u - self.lower if self.held else self.u - self.upper

    def output(self, t):
        self.on = self.held
        self.distance = self.beyond()

    def event(self, t, fired):
        if not fired:
            self.held = self.beyond() > 0
        elif fired.direction("distance") != 0:
            self.held = fired.direction("distance") > 0

    def update(self, t):
        self.held = self.beyond() > 0


@hilda.block(doc="Falls, and loses half of its speed on the ground.")
class Ball(hilda.Block):
    y = hilda.Output(doc="Height")
    h = hilda.State(initial=1.0, continuous=True, doc="Height")
    v = hilda.State(continuous=True, doc="Velocity")
    bounces = hilda.State(dtype=int, modal=True, doc="How many")
    ground = hilda.Crossing(doc="Height")

    def output(self, t):
        self.y = self.h
        self.ground = self.h

    def derivatives(self, t):
        self.h_dot = self.v
        self.v_dot = -9.81

    def event(self, t, fired):
        if fired.direction("ground") < 0:
            self.v = -0.5 * self.v
            self.bounces += 1


@hilda.block(doc="Two magnitudes.")
class Magnitudes(hilda.Block):
    u = hilda.Input("@u", "2", doc="Signals")
    y = hilda.Output("@u", "2", doc="Their magnitudes")
    none = hilda.State(continuous=True, doc="Makes the solver compute the block between ticks")
    zero = hilda.Crossing("@u", "2", doc="Where the signs change")

    def output(self, t):
        self.y = abs(self.u)
        self.zero = self.u
        if t.located and self.zero_side.all():
            self.y = self.zero_side * self.u

    def derivatives(self, t):
        self.none_dot = 0.0
