# SPDX-License-Identifier: BSD-3-Clause
import hilda


@hilda.block
class It(hilda.Block):
    x = hilda.State()

    def update(self, t):
        self.x = self.helper()

    def helper(self):
        return [1, 2][5]
