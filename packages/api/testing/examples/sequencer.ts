import type { sequencerApi } from "../../src/index.ts";
import type { Examples } from "../example.ts";
import { health } from "./health.ts";

const key = "a1".repeat(32);
const signature = "b2".repeat(64);
const head = { sequence: 17, entryHash: "c7".repeat(32) };

export const sequencerExamples: Examples<typeof sequencerApi> = {
  getNetwork: {
    response: {
      network: "c3".repeat(32),
      sequencer: "sv1::1220cd",
      dso: "DSO::1220ab",
      synchronizerId: "global-domain::1220ab",
      acronym: "cns",
      migrationId: 0,
      protocolVersion: 1,
      movableClock: true,
      svs: ["sv1::1220cd"],
      sequence: 17,
      digest: "d4".repeat(32),
      recordTime: "2026-01-01T00:00:00.000001Z",
      now: "2026-01-01T00:00:01Z",
    },
  },
  getBeginning: {
    response: { content: '{"tag":"FoundNetwork"}', recordTime: "2026-01-01T00:00:00.000001Z" },
  },
  listSvChanges: {
    request: { query: { after: 0n } },
    response: {
      changes: [{ serial: 1, svs: ["sv1::1220cd"], attestations: [{ publicKey: key, signature }] }],
    },
  },
  findMember: {
    request: { params: { member: "alice::1220ef" } },
    response: { registered: { member: "alice::1220ef", signingKeys: [key], keySerial: 1 } },
  },
  askChallenge: {
    request: { body: { member: "alice::1220ef", challenge: "d7".repeat(32), sessionKey: key } },
    response: {
      challenge: "e5".repeat(32),
      proof: {
        ...{ sessionKey: key, namespaceKey: key, signingKey: key, serial: 1 },
        ...{ certificate: signature, signature },
      },
    },
  },
  openSession: {
    request: { body: { member: "alice::1220ef", challenge: "e5", publicKey: key, signature } },
    response: { token: "f6".repeat(32), expiresAt: "2026-01-01T01:00:00Z" },
  },
  submit: {
    request: { body: { content: '["Tick",[]]', signatures: [{ publicKey: key, signature }] } },
    response: { sequence: 18 },
  },
  follow: {
    request: { query: { after: 3n, waitMs: 1000 } },
    received: { query: { after: 3n, limit: 100, waitMs: 1000, bodies: true } },
    response: {
      items: [{ offset: 4, digest: "07".repeat(32), body: "{}", cause: null }],
      previousDigest: "06".repeat(32),
      end: 4,
      recordTime: "2026-01-01T00:00:00.000001Z",
      now: "2026-01-01T00:00:01Z",
      svSerial: 2,
    },
  },
  listTopologyParties: {
    request: { query: { after: "alice::1220ef", limit: 2 } },
    received: { query: { after: "alice::1220ef", prefix: "", limit: 2, known: "" } },
    response: { parties: ["bob::1220ab", "carol::1220ef"] },
  },
  findTopologyParties: {
    request: { body: { parties: ["alice::1220ef", "nobody::1220ef"] } },
    response: { parties: ["alice::1220ef"] },
  },
  listHostedParties: {
    request: { query: { after: "alice::1220ef" } },
    response: { end: { offset: 12, digest: "07".repeat(32) }, parties: ["bob::1220ef"], next: null },
  },
  listHeldContracts: {
    request: { query: { after: "00ab" } },
    response: {
      contracts: [{ contractId: "00cd", templateId: "p:M:T", payload: "{}", createdAt: "1767225600000000" }],
      next: "00ef",
    },
  },
  getSvHead: {
    request: { query: { above: 16n, waitMs: 1000 } },
    response: { head: { ...head, digest: "d4".repeat(32), publicKey: key, signature } },
  },
  findSvHead: {
    request: { params: { sequence: "17" }, query: { waitMs: 1000 } },
    received: { params: { sequence: 17n }, query: { waitMs: 1000 } },
    response: { head: null },
  },
  stateHeld: {
    request: { body: { ...head, term: "7261 2", nonce: "5e".repeat(16) } },
    response: { ...head, publicKey: key, signature },
  },
  showCopy: {
    request: {
      body: { sv: "sv2::1220ce", ...head, term: "7 1 a", nonce: "5e".repeat(16), publicKey: key, signature },
    },
    response: {
      end: { sequence: 19, entryHash: "d4".repeat(32) },
      follows: true,
      last: { sequence: 18, entryHash: "c3".repeat(32) },
      entries: ['[18,"…","2025-01-01T00:00:00Z","nonsense",[]]'],
      publicKey: key,
      signature,
    },
  },
  askTick: {
    request: { body: { sv: "sv2::1220ce", ...head, publicKey: key, signature } },
    response: { sequence: 18 },
  },
  getSnapshot: { response: { snapshot: { manifest: '{"parts":[]}', proof: "{}" } } },
  getSnapshotPart: {
    request: { body: { sv: "sv2::1220ce", sequence: 17, part: 0, publicKey: key, signature } },
    response: { part: '["member","alice::1220ab","{}"]' },
  },
  ...health,
};
