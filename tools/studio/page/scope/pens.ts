// SPDX-License-Identifier: BSD-3-Clause
// Colours of curves, with dashes to distinguish them as well.
export const dashes = [[], [8, 3], [2, 2], [10, 3, 2, 3], [14, 4], [5, 2, 1, 2], [4, 4], [1, 3]];

export const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
export const pen = (i: number): string => colour(`--pen${i % 8}`);
