// SPDX-License-Identifier: BSD-3-Clause
// What a reload of the page finds again: of each diagram its own, as long as this tab of the browser is there.
import type { Session } from "../run/session";

export class Kept<T> {
  constructor(private session: Session, private name: string) {}

  private get key(): string { return `hilda ${this.session.hello?.diagram.file ?? ""} ${this.name}`; }
  get value(): T | null { return JSON.parse(sessionStorage.getItem(this.key) ?? "null") as T | null; }
  set value(value: T | null) { if (this.session.hello) sessionStorage.setItem(this.key, JSON.stringify(value)); }
}
