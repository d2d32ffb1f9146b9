# SPDX-License-Identifier: BSD-3-Clause
import hilda


@hilda.block
class It(hilda.Block):
    n = hilda.Parameter(default=2)
    y = hilda.Output(count="n")

    def output(self, t):
        self.y = [1.0, 2.0]
