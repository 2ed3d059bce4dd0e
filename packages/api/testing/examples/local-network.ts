import type { localNetworkApi } from "../../src/index.ts";
import type { Examples } from "../example.ts";

export const localNetworkExamples: Examples<typeof localNetworkApi> = {
  isReady: { response: undefined },
  isLive: { response: undefined },
  getClock: { response: { time: "2026-01-01T00:00:00.000001Z" } },
  moveClock: {
    request: { body: { forwardSeconds: 5_184_000 } },
    response: { time: "2026-03-02T00:00:00Z" },
  },
  setScanBehaviour: {
    request: { params: { number: "4" }, body: { behaviour: "lie" } },
    response: { behaviour: "lie" },
  },
};
