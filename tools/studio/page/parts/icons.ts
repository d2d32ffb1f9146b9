// SPDX-License-Identifier: BSD-3-Clause
// Signs on buttons, drawn: not every font has them.
import { drawn } from "./dom";

const shapes = {
  restart: "M4 4v12M16 4 7 10l9 6z", back: "M14 4 5 10l9 6z", run: "M5 3l12 7-12 7z", pause: "M5 3h3.6v14H5zM11.4 3H15v14h-3.6z", step: "M5 4l8 6-8 6zM16 4v12",
  dark: "M15.5 12.5A6.5 6.5 0 0 1 7.5 4.5 6.5 6.5 0 1 0 15.5 12.5z", light: "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6 16 16M4 16l1.4-1.4M14.6 5.4 16 4",
} as const;
export type Icon = keyof typeof shapes;

export const icon = (name: Icon): SVGSVGElement =>
  drawn("svg", { className: `icon ${name}`, viewBox: "0 0 20 20", "aria-hidden": "true" }, drawn("path", { d: shapes[name] }));
