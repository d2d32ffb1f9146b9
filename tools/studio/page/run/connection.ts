// SPDX-License-Identifier: BSD-3-Clause
// The line to the server: requests with replies, what it pushes, and binary frames of samples.
import type { Reply, Samples } from "./protocol";

/** "refused": hilda is there, and does not know the token of this page. */
export type Line = "connecting" | "open" | "lost" | "refused";
interface Handlers {
  message(op: string, body: Record<string, unknown>): void;
  samples(samples: Samples): void;
  line(state: Line): void;
}

/** Undoes the server's frame: length, header, times, columns. */
export function samplesOf(buffer: ArrayBuffer): Samples {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))) as Omit<Samples, "times" | "values"> & { count: number };
  let at = 4 + length;
  const column = () => {
    // where the header was not padded the doubles must be moved to a place that an array may begin at
    const values = at % 8 ? new Float64Array(buffer.slice(at, at + header.count * 8)) : new Float64Array(buffer, at, header.count);
    at += header.count * 8;
    return values;
  };
  const times = column();
  return { ...header, times, values: header.series.map(column) };
}

export class Connection {
  private socket: WebSocket | null = null;
  private last = 0;
  private waiting = new Map<number, (reply: Reply) => void>();
  private pause = 300; // ms until the next try

  constructor(private url: string, private handlers: Handlers) { this.open(); }

  /** A reply always comes: one that says so where the line is down. */
  request(op: string, body: Record<string, unknown> = {}): Promise<Reply> {
    if (this.socket?.readyState !== WebSocket.OPEN)
      return Promise.resolve({ ok: false, error: "hilda does not answer, so this was not sent", help: "start it again, and press Enter here once more" });
    const id = ++this.last;
    this.socket.send(JSON.stringify({ op, id, ...body }));
    return new Promise((done) => this.waiting.set(id, done));
  }

  private open(): void {
    const socket = new WebSocket(this.url, "hilda.v1");
    socket.binaryType = "arraybuffer";
    socket.addEventListener("open", () => { this.pause = 300; this.handlers.line("open"); });
    socket.addEventListener("message", (event: MessageEvent<string | ArrayBuffer>) => this.take(event.data));
    socket.addEventListener("close", () => this.lost());
    this.socket = socket;
  }

  private take(data: string | ArrayBuffer): void {
    if (typeof data !== "string") return this.handlers.samples(samplesOf(data));
    const body = JSON.parse(data) as Record<string, unknown>;
    if (body.op !== "reply") return this.handlers.message(String(body.op), body);
    const done = this.waiting.get(body.id as number);
    this.waiting.delete(body.id as number);
    done?.(body as unknown as Reply);
  }

  /** A browser does not tell a page why a line is refused; the page itself is refused with words. */
  private async whyLost(): Promise<void> {
    const answer = await fetch("/", { method: "HEAD", cache: "no-store" }).catch(() => null);
    if (answer?.status === 401 && this.socket?.readyState !== WebSocket.OPEN) this.handlers.line("refused");
  }

  private lost(): void {
    this.handlers.line("lost");
    void this.whyLost();
    for (const done of this.waiting.values()) done({ ok: false, error: "the line to hilda broke" });
    this.waiting.clear();
    setTimeout(() => this.open(), this.pause);
    this.pause = Math.min(5000, this.pause * 1.6);
  }
}
