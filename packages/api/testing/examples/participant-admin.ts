import type { participantAdminApi } from "../../src/index.ts";
import type { Examples } from "../example.ts";
import { alice } from "./samples.ts";

const schedule = { cron: "0 /10 * * * ?", maxDuration: "5m", retention: "48h" };
const urls = ["https://sequencer.sv-1.example.com", "https://sequencer.sv-2.example.com"];

export const participantAdminExamples: Examples<typeof participantAdminApi> = {
  getPruningSchedule: { response: { schedule } },
  setPruningSchedule: {
    request: { body: schedule },
    response: { schedule },
  },
  clearPruningSchedule: { response: {} },
  prune: {
    request: { body: { offset: 1200 } },
    response: { prunedUpToInclusive: 1200, isRunning: false },
  },
  getPruningStatus: {
    response: {
      prunedUpToInclusive: 1200,
      isRunning: true,
      schedule,
      lastRun: {
        startedAt: "2026-03-01T00:10:00Z",
        endedAt: "2026-03-01T00:10:02.500000Z",
        prunedUpToInclusive: 1200,
      },
      nextRunAt: "2026-03-01T00:20:00Z",
    },
  },
  getIdentity: {
    response: {
      participantId: alice,
      keys: [
        { name: "namespace", publicKey: "5a".repeat(32), fingerprint: alice.slice("alice::".length) },
        { name: "signing", publicKey: "c3".repeat(32), fingerprint: `1220${"0d".repeat(32)}` },
      ],
    },
  },
  getSequencerConnections: { response: { urls, threshold: null, migrationId: 1, needed: 1 } },
  setSequencerConnections: {
    request: { body: { urls, threshold: 2 } },
    response: { urls, threshold: 2 },
  },
};
