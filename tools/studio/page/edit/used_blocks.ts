// SPDX-License-Identifier: BSD-3-Clause
// Types of blocks that this browser shows first: favourites, and those that were added last.
interface Used { favourites: string[]; recent: string[] }

const key = "hilda palette", most = 6;

export class UsedBlocks {
  /** Read each time: other tabs write it, too. The stored text may be anything. */
  private get kept(): Used {
    const texts = (list: unknown) => (Array.isArray(list) ? [...new Set(list.filter((each): each is string => typeof each === "string"))] : []);
    try {
      const all = JSON.parse(localStorage.getItem(key) ?? "{}") as Partial<Used> | null;
      return { favourites: texts(all?.favourites), recent: texts(all?.recent).slice(0, most) };
    } catch {
      return { favourites: [], recent: [] };
    }
  }

  get favourites(): string[] { return this.kept.favourites; }
  /** The last one first; without the favourites. */
  get recent(): string[] { const { favourites, recent } = this.kept; return recent.filter((each) => !favourites.includes(each)); }

  used(type: string): void {
    const { favourites, recent } = this.kept;
    if (type.includes("/")) this.keep({ favourites, recent: [type, ...recent.filter((each) => each !== type)].slice(0, most) });
  }

  toggle(type: string): void {
    const { favourites, recent } = this.kept;
    this.keep({ favourites: favourites.includes(type) ? favourites.filter((each) => each !== type) : [...favourites, type], recent });
  }

  private keep(all: Used): void { localStorage.setItem(key, JSON.stringify(all)); }
}
