// SPDX-License-Identifier: BSD-3-Clause
// An audit of the diagram: hilda runs it in another process and proves what the blocks declare.
import { refusal, type Diagnostic, type Mark, type Reply } from "./protocol";

interface Finding { mode: string; block: string; what: string; file?: string; line?: number }
const help = "mend the block, or what it declares; 'hilda check --audit' in a terminal says the same";

export class Audit {
  running = false;
  private begun = 0;
  /** What it found, among the diagnostics and at the blocks. */
  diagnostics: Diagnostic[] = [];
  marks: Mark[] = [];
  /** How it went. */
  said = "";

  constructor(private ask: (op: string, body: Record<string, unknown>, quiet: boolean) => Promise<Reply>, private changed: () => void) {}

  async run(seconds: number): Promise<void> {
    this.forget();
    const now = ++this.begun;
    this.running = true;
    this.changed();
    const reply = await this.ask("audit", { for: seconds }, true);
    this.running = false;
    if (now === this.begun) this.take(reply);
    else this.said = "the diagram has changed meanwhile: audit it once more";
    this.changed();
  }

  stop(): void { void this.ask("audit", { stop: true }, false); }

  /** Another diagram is loaded: what was found holds no longer. */
  forget(): void { this.diagnostics = [], this.marks = [], this.said = "", ++this.begun; }

  private take(reply: Reply): void {
    this.forget();
    if (!reply.ok) return void (this.said = refusal(reply));
    const findings = reply.findings as Finding[], errors = (reply.diagnostics as Diagnostic[]).filter((each) => each.severity === "error" || each.code.startsWith("block-"));
    this.diagnostics = [...findings.map((each): Diagnostic => ({ severity: "error", code: "audit", file: each.file, line: each.line ?? 0, what: each.what, help })), ...errors];
    this.marks = findings.map((each): Mark => ({ path: each.block, kind: "audit", text: each.what }));
    this.said = (reply.lines as string[]).filter((each) => /audited|copied|failed/.test(each)).join("; ") || "it does not run: see the errors";
  }
}
