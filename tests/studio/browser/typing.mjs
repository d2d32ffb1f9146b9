// SPDX-License-Identifier: BSD-3-Clause
/** What a page asks of the server from its next address on: edits, and values of the run, in order. */
export function asked(page) {
  const list = [];
  page.on("websocket", (socket) => socket.on("framesent", ({ payload }) => {
    const { op, operations, settings } = JSON.parse(payload);
    if (op === "edit") list.push(...operations.map((each) => each.join(" ")));
    if (op === "set") list.push(...settings.map((each) => `live ${each.path}=${each.text}`));
  }));
  return list;
}
