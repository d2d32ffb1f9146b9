// SPDX-License-Identifier: BSD-3-Clause
// As much of a canvas's context as scopes draw with, and what was drawn as SVG.
import { drawn } from "../parts/dom";

/** What a canvas and this have in common. */
export type Ink = Pick<CanvasRenderingContext2D, "strokeStyle" | "fillStyle" | "globalAlpha" | "lineWidth" | "lineJoin" | "font" | "textAlign" | "save" | "restore" | "translate" | "beginPath" | "moveTo" | "lineTo" | "rect" | "arc" | "stroke" | "fill" | "clip" | "fillRect" | "fillText" | "setLineDash">;

interface Look { strokeStyle: string; fillStyle: string; globalAlpha: number; lineWidth: number; lineJoin: CanvasLineJoin; font: string; textAlign: CanvasTextAlign; dashes: number[]; x: number; y: number; into: SVGElement }
const short = (v: number) => String(Number(v.toFixed(2)));

export class VectorContext implements Ink {
  readonly svg: SVGSVGElement;
  private look: Look;
  private kept: Look[] = [];
  private path: string[] = [];
  private clips = 0;

  constructor(width: number, height: number) {
    this.svg = drawn("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}` });
    this.look = { strokeStyle: "#000", fillStyle: "#000", globalAlpha: 1, lineWidth: 1, lineJoin: "miter", font: "10px sans-serif", textAlign: "start", dashes: [], x: 0, y: 0, into: this.svg };
  }

  get strokeStyle(): string { return this.look.strokeStyle; } set strokeStyle(to: string) { this.look.strokeStyle = to; }
  get fillStyle(): string { return this.look.fillStyle; } set fillStyle(to: string) { this.look.fillStyle = to; }
  get globalAlpha(): number { return this.look.globalAlpha; } set globalAlpha(to: number) { this.look.globalAlpha = to; }
  get lineWidth(): number { return this.look.lineWidth; } set lineWidth(to: number) { this.look.lineWidth = to; }
  get lineJoin(): CanvasLineJoin { return this.look.lineJoin; } set lineJoin(to: CanvasLineJoin) { this.look.lineJoin = to; }
  get font(): string { return this.look.font; } set font(to: string) { this.look.font = to; }
  get textAlign(): CanvasTextAlign { return this.look.textAlign; } set textAlign(to: CanvasTextAlign) { this.look.textAlign = to; }

  save(): void { this.kept.push({ ...this.look }); }
  restore(): void { this.look = this.kept.pop() ?? this.look; }
  translate(x: number, y: number): void { this.look.x += x, this.look.y += y; }
  setLineDash(dashes: Iterable<number>): void { this.look.dashes = [...dashes]; }
  private at(x: number, y: number): string { return `${short(x + this.look.x)} ${short(y + this.look.y)}`; }
  beginPath(): void { this.path = []; }
  moveTo(x: number, y: number): void { this.path.push(`M${this.at(x, y)}`); }
  lineTo(x: number, y: number): void { this.path.push(`${this.path.length ? "L" : "M"}${this.at(x, y)}`); }
  rect(x: number, y: number, width: number, height: number): void { this.path.push(`M${this.at(x, y)}h${short(width)}v${short(height)}h${short(-width)}z`); }
  /** A whole circle: scopes draw no other arc. */
  arc(x: number, y: number, radius: number): void { this.path.push(`M${this.at(x - radius, y)}a${short(radius)} ${short(radius)} 0 1 0 ${short(2 * radius)} 0a${short(radius)} ${short(radius)} 0 1 0 ${short(-2 * radius)} 0z`); }

  private put(made: SVGElement): void {
    if (this.look.globalAlpha < 1) made.setAttribute("opacity", short(this.look.globalAlpha));
    this.look.into.append(made);
  }
  stroke(): void {
    const { strokeStyle: stroke, lineWidth, lineJoin, dashes } = this.look;
    if (this.path.length) this.put(drawn("path", { d: this.path.join(""), fill: "none", stroke, "stroke-width": short(lineWidth), "stroke-linejoin": lineJoin, "stroke-dasharray": dashes.length ? dashes.map(short).join(" ") : undefined }));
  }
  fill(): void { if (this.path.length) this.put(drawn("path", { d: this.path.join(""), fill: this.look.fillStyle })); }
  fillRect(x: number, y: number, width: number, height: number): void { this.put(drawn("rect", { x: short(x + this.look.x), y: short(y + this.look.y), width: short(width), height: short(height), fill: this.look.fillStyle })); }
  fillText(text: string, x: number, y: number): void {
    const [, size = "10px", family = "sans-serif"] = /(\d[\d.]*px)\s+(.*)/.exec(this.look.font) ?? [], anchor = { right: "end", end: "end", center: "middle" }[this.look.textAlign as string];
    this.put(drawn("text", { x: short(x + this.look.x), y: short(y + this.look.y), fill: this.look.fillStyle, "font-size": size, "font-family": family, "text-anchor": anchor, text }));
  }
  clip(): void {
    const id = `clip${++this.clips}`, group = drawn("g", { "clip-path": `url(#${id})` });
    this.look.into.append(drawn("clipPath", { id }, drawn("path", { d: this.path.join("") })), group);
    this.look.into = group;
  }
}
