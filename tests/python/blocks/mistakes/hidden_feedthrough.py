# SPDX-License-Identifier: BSD-3-Clause
import hilda


@hilda.block
class It(hilda.Block):
    # wires: <block name="one" type="sources/Constant" value="1"/><connect from="one.y" to="it.u"/>
    u = hilda.Input()
    y = hilda.Output()

    def output(self, t):
        self.y = other(self)


def other(block):
    return block.u
