/** A participant on a network of its own, for a whole file of assertions. */
import { beforeAll } from "vitest";
import { type AtEnd, atEndOfFile } from "../../packages/node/testing/at-end.ts";
import type { ParticipantConfig } from "../../packages/participant/src/start-participant.ts";
import { type LedgerClient, newParticipant, ready, type TestParticipant } from "../support/participants.ts";
import { startSvNodes } from "../support/sv-nodes.ts";

export interface LedgerOfFile {
  readonly participant: TestParticipant;
  /** Without a token. */
  readonly open: LedgerClient;
  readonly admin: LedgerClient;
  /** For a further participant on the same network. */
  readonly sequencers: readonly string[];
  readonly atEnd: AtEnd;
}

/** As conformance runs have it: nobody needs a token, and everybody may do everything. */
export const OPEN = { auth: { kind: "none" } } as const satisfies Partial<ParticipantConfig>;

/** Called where the file is read; there when its tests run. */
export function ledgerOfFile(options: Partial<ParticipantConfig>): LedgerOfFile {
  const atEnd = atEndOfFile();
  let started: TestParticipant | null = null;
  let urls: readonly string[] = [];
  beforeAll(async () => {
    const { sequencers } = await startSvNodes(1, atEnd);
    urls = sequencers;
    started = await newParticipant(sequencers, options, atEnd);
    await ready(started);
  });
  const participant = () => {
    if (started === null) throw new Error("the participant starts before the first test");
    return started;
  };
  return {
    get participant() {
      return participant();
    },
    get open() {
      return participant().as(null);
    },
    get admin() {
      return participant().admin;
    },
    get sequencers() {
      return urls;
    },
    atEnd,
  };
}
