/** Four SVs show a member the state of its parties, and one of them lies. The real agreement finds the state of the others. */
import { sha256, sleep, systemHost } from "@callsign/node";
import { describe, expect, test } from "vitest";
import { contractIdOf } from "../../packages/ledger/src/engine/contract.ts";
import { timeFromMicros } from "../../packages/ledger/src/index.ts";
import { SequencerConsensus } from "../../packages/participant/src/agreement/sequencer-consensus.ts";
import { STREAM_START } from "../../packages/participant/src/agreement/stream-agreement.ts";
import { MemberStateReader } from "../../packages/participant/src/network/member-state-reader.ts";
import type { SequencerClient } from "../../packages/participant/src/network/sequencer-client.ts";

const SVS = ["sv-1", "sv-2", "sv-3", "sv-4"];
const now = "2026-01-01T00:00:00Z";
const PAGE = 3;
const OFFSET = 12;
const body = '{"recordTime":"1000"}';

function contractOf(number: number) {
  const content = { templateId: "p:M:T", payload: `{"number":"${number}"}`, createdAt: timeFromMicros(1n) };
  const contractId = contractIdOf(sha256, sha256(`node ${number}`), content);
  return { ...content, contractId, createdAt: "1" };
}

type Held = ReturnType<typeof contractOf>;
const byId = (a: Held, b: Held) => (a.contractId < b.contractId ? -1 : 1);
const CONTRACTS = Array.from({ length: 10 }, (_, i) => contractOf(i)).sort(byId);
const SHOWN = CONTRACTS.map(({ contractId, payload }) => `${contractId} ${payload}`);

type Answers = Pick<SequencerClient, "listHostedParties" | "listHeldContracts" | "follow">;

function honest(contracts: readonly Held[] = CONTRACTS, end = OFFSET): Answers {
  return {
    listHostedParties: async (after) => ({
      end: { offset: end, digest: "d" },
      parties: ["alice", "bob"].filter((party) => party > after),
      next: null,
    }),
    listHeldContracts: async (after) => {
      const rest = contracts.filter(({ contractId }) => contractId > after);
      const page = rest.slice(0, PAGE);
      return { contracts: page, next: rest.length > PAGE ? (page.at(-1)?.contractId ?? null) : null };
    },
    follow: async ({ after }) => ({
      items: after < end ? [{ offset: after + 1, digest: "d", body, cause: null }] : [],
      ...{ previousDigest: null, end, recordTime: now, now, svSerial: null },
    }),
  };
}

/** The first of the four SVs answers as given, before the others. */
function readerWith(first: Answers, last: Answers = honest()): MemberStateReader {
  const consensus = new SequencerConsensus({
    ...{
      sources: SVS.length,
      threshold: null,
      position: STREAM_START,
      stored: 0,
      network: null,
      hash: sha256,
    },
    elapsedMilliseconds: () => 0,
    onFault: () => undefined,
    onSvsKnown: () => undefined,
    onObstacle: () => undefined,
  });
  const known = { synchronizerId: "s", dso: "d" };
  const begun = { id: "n", ...known, migrationId: 0n, svs: SVS, svSerial: 0n };
  const about = {
    acronym: "",
    protocolVersion: 4,
    movableClock: false,
    sequence: 1,
    digest: "",
    recordTime: now,
  };
  for (const [source, sequencer] of SVS.entries()) {
    const state = { network: "n", ...known, ...about, sequencer, migrationId: 0, svs: SVS, now };
    expect(consensus.hearNetwork(source, state, begun)).toBeNull();
  }
  const clients = SVS.map((sequencer, i) => ({
    ...([first, honest(), honest(), last][i] ?? honest()),
    sequencer,
  }));
  const signal = AbortSignal.timeout(20_000);
  const parts = { clients: clients as unknown as SequencerClient[], consensus, host: systemHost, signal };
  return new MemberStateReader(parts, sha256);
}

async function readAll(reader: MemberStateReader) {
  const start = await reader.findStart();
  const [parties, contracts]: [string[], string[]] = [[], []];
  for await (const page of reader.parties()) parties.push(...page);
  for await (const page of reader.contracts())
    contracts.push(...page.map(({ contractId, payload }) => `${contractId} ${payload}`));
  return { offset: start.offset, parties, contracts: contracts.sort() };
}

const EXPECTED = { offset: OFFSET, parties: ["alice", "bob"], contracts: SHOWN };
const forged = contractOf(99);

describe("the state of a member is that of the honest SVs, with one that", () => {
  test.each<[string, Answers]>([
    ["is honest", honest()],
    ["hides contracts", honest(CONTRACTS.slice(4))],
    ["shows nothing", honest([])],
    ["adds a contract", honest([...CONTRACTS, forged].sort(byId))],
    ["changes a contract", honest(CONTRACTS.map((each) => ({ ...each, payload: "{}" })))],
    [
      "ends its pages early",
      { ...honest(), listHeldContracts: async (after) => ({ contracts: [], next: `${after}0` }) },
    ],
    ["says that the stream ended long ago", honest(CONTRACTS, 1)],
    ["says that the stream goes on for ever", honest(CONTRACTS, 1_000_000)],
    ["does not answer", { ...honest(), listHeldContracts: () => Promise.reject(new Error("silent")) }],
  ])("%s", async (_what, first) => {
    expect(await readAll(readerWith(first))).toEqual(EXPECTED);
  });
});

/** It answers behind the others: the liar's answer counts. */
const late: Answers = {
  ...honest(),
  listHeldContracts: async (after, signal) => {
    await sleep(20, systemHost);
    return honest().listHeldContracts(after, signal);
  },
};

describe("it is so if the liar is one of the first three that answer, and", () => {
  test.each<[string, Answers]>([
    ["hides contracts", honest(CONTRACTS.slice(4))],
    ["adds a contract", honest([...CONTRACTS, forged].sort(byId))],
    ["changes a contract", honest(CONTRACTS.map((each) => ({ ...each, payload: "{}" })))],
    [
      "ends its pages early",
      { ...honest(), listHeldContracts: async (after) => ({ contracts: [], next: `${after}0` }) },
    ],
  ])("%s", async (_what, first) => {
    expect(await readAll(readerWith(first, late))).toEqual(EXPECTED);
  });
});
