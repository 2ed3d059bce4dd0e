import type { localNetworkApi } from "../../src/index.ts";
import type { Examples } from "../example.ts";

const snapshot = {
  ...{ name: "two-names", savedAt: "2026-01-01T00:00:00Z", time: "2026-03-02T00:00:00.5Z" },
  ...{ acronym: "cns", entries: 142, bytes: 4_915_200 },
};

export const localNetworkExamples: Examples<typeof localNetworkApi> = {
  isReady: { response: undefined },
  isLive: { response: undefined },
  getClock: { response: { time: "2026-01-01T00:00:00.000001Z" } },
  moveClock: {
    request: { body: { forwardSeconds: 5_184_000 } },
    response: { time: "2026-03-02T00:00:00Z" },
  },
  listScans: { response: { scans: [{ number: 1, behaviour: "honest" }] } },
  listUsers: {
    response: { users: [{ user: "app-user", node: "app-user", token: "header.claims.signature" }] },
  },
  makeToken: {
    request: { params: { user: "alice" } },
    response: { token: "header.claims.signature" },
  },
  setScanBehaviour: {
    request: { params: { number: "4" }, body: { behaviour: "lie" } },
    response: { behaviour: "lie" },
  },
  saveSnapshot: { request: { body: { name: "two-names" } }, response: snapshot },
  listSnapshots: { response: { snapshots: [snapshot] } },
  restoreSnapshot: { request: { params: { name: "two-names" } }, response: snapshot },
  deleteSnapshot: { request: { params: { name: "two-names" } }, response: undefined },
};
