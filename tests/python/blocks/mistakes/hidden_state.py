# SPDX-License-Identifier: BSD-3-Clause
import hilda


@hilda.block
class It(hilda.Block):
    def update(self, t):
        self.count = getattr(self, 'count', 0) + 1
