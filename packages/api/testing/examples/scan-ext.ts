import { alice, contractId, dso } from "./samples.ts";

const entry = {
  contract_id: contractId("3"),
  user: alice,
  name: "alice.unverified.cns",
  url: "https://alice.example/",
  description: "Alice's shop",
  expires_at: "2025-03-12T01:56:28.974046Z",
};

const dsoEntry = {
  contract_id: null,
  user: dso,
  name: "dso.cns",
  url: "",
  description: "",
  expires_at: null,
};

const change = {
  offset: "32768",
  record_time: "2024-12-12T01:56:28.974046Z",
  kind: "registered",
  name: entry.name,
  owner: alice,
  expires_at: entry.expires_at,
  usd: "1.0000000000",
  amulet: "200.0000000000",
} as const;

export const listNameChanges = {
  request: { query: { page_size: 1, after: 16_384n, name: entry.name } },
  received: { query: { page_size: 1, after: 16_384n, name: entry.name, party: null } },
  response: { changes: [change], next: "32768", complete_from: "2025-01-01T00:00:00Z" },
};

/** Operations under `/ext/v1`, which the scan proxy repeats as they are. */
export const scanExtExamples = {
  lookupNames: {
    request: { body: { names: [entry.name, "bob.unverified.cns"] } },
    received: { body: { names: [entry.name, "bob.unverified.cns"], parties: [] } },
    response: { names: [{ entry }, { entry: null }], parties: [] },
  },
  listNames: {
    request: { query: { name_prefix: "a", page_size: 2, after: "ada & +é" } },
    response: { entries: [entry], next: null },
  },
  listNamesOfParty: {
    request: { params: { party: dso }, query: { page_size: 1 } },
    received: { query: { page_size: 1, after: "" } },
    response: { primary: dsoEntry, entries: [dsoEntry], next: "dso.cns" },
  },
  checkName: {
    request: { params: { name: "a1ice" } },
    response: {
      name: "a1ice.unverified.cns",
      valid: true,
      problem: null,
      available: true,
      entry: null,
      taken_until: null,
      price: {
        usd: "1.0000000000",
        amulet: "200.0000000000",
        amulet_price: "0.0050000000",
        round: 4,
        lifetime_microseconds: 7_776_000_000_000,
      },
      look_alikes: [entry],
    },
  },
  getNameHistory: {
    request: { params: { name: entry.name }, query: { page_size: 1, after: 16_384n } },
    response: { changes: [change], next: "32768", complete_from: "2025-01-01T00:00:00Z" },
  },
  getNameStatistics: {
    request: { query: { from: "2024-12-12", to: "2024-12-12" } },
    response: {
      days: [
        {
          day: "2024-12-12",
          live: 1,
          registered: 1,
          renewed: 0,
          taken_up: 0,
          expired: 0,
          refunded: 0,
          burned: "200.0000000000",
        },
      ],
      complete_from: null,
    },
  },
  getLookupStatistics: {
    request: {},
    response: { since: "2024-12-12T10:00:30Z", from: "2024-12-12T10:00:00Z", counts: [3, 0, 12] },
  },
};
