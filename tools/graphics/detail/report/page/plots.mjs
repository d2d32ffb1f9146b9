// SPDX-License-Identifier: BSD-3-Clause
// What the page takes from others: bundled by cmake/bundle.mjs when hilda is built.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
globalThis.uPlot = uPlot;
