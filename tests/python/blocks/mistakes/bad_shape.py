# SPDX-License-Identifier: BSD-3-Clause
import hilda


@hilda.block
class It(hilda.Block):
    y = hilda.Output(shape='3 x 3')

    def output(self, t):
        pass
