/** The walk through a large topology, part by part, over a real store. */
import { openDatabase } from "@callsign/node";
import { expect, test } from "vitest";
import { openParticipantStore } from "../store/open-participant-store.ts";
import { PartyStore } from "../store/party-store.ts";
import { NetworkParties } from "./network-parties.ts";

const NAMESPACE = "1220ab";
const signal = new AbortController().signal;
const topology = Array.from({ length: 3500 }, (_, i) => `p${String(i).padStart(4, "0")}::1220cd`);

interface Asked {
  readonly after: string;
  readonly limit: number;
  readonly known: number;
}

/** Sequencers that agree on the topology; `isComplete` is false if some of them did not answer. */
async function network(parties: readonly string[] | null, { isComplete = true } = {}) {
  const store = new PartyStore(await openParticipantStore(openDatabase(":memory:")));
  const asked: Asked[] = [];
  const current = {
    listParties: async (page: { after: string; prefix: string; limit: number }, known: readonly string[]) => {
      asked.push({ after: page.after, limit: page.limit, known: known.length });
      if (parties === null) return null;
      const rest = parties.filter((party) => party > page.after && party.startsWith(page.prefix));
      return { parties: new Set(rest.slice(0, page.limit)), isComplete };
    },
    findParties: async (given: readonly string[]) =>
      parties && { parties: new Set(given.filter((party) => parties.includes(party))), isComplete },
  };
  const learner = new NetworkParties({
    identity: { namespace: NAMESPACE } as never,
    parties: store,
    connections: { current: current as never },
  });
  const known = async (limit = 10_000) => (await store.list({ after: "", prefix: "", limit })).items;
  return { store, learner, asked, known };
}

test("a page of thousands is asked for in parts of a thousand, and once it is known by its digest alone", async () => {
  const { learner, asked, known } = await network(topology);
  await learner.learnPage({ after: "", prefix: "", limit: 10_000 }, signal);
  expect((await known()).map(({ party }) => party)).toEqual(topology);
  expect(asked.map(({ limit }) => limit)).toEqual([1000, 1000, 1000, 1000]);
  expect(asked.map(({ after }) => after)).toEqual(["", topology[999], topology[1999], topology[2999]]);
  asked.length = 0;
  await learner.learnPage({ after: "", prefix: "", limit: 2500 }, signal);
  expect(asked).toEqual([
    { after: "", limit: 1000, known: 1000 },
    { after: topology[999], limit: 1000, known: 1000 },
    { after: topology[1999], limit: 500, known: 500 },
  ]);
});

test("a prefix is asked for alone", async () => {
  const { learner, known } = await network(topology);
  await learner.learnPage({ after: "p0005::1220cd", prefix: "p000", limit: 10 }, signal);
  expect((await known()).map(({ party }) => party)).toEqual(topology.slice(6, 10));
});

test("parties of the participant's own namespace are left to its stream", async () => {
  const own = `late::${NAMESPACE}`;
  const { learner, known } = await network([own, "p0::1220cd"]);
  await learner.learnPage({ after: "", prefix: "", limit: 10 }, signal);
  await learner.learn([own, "p0::1220cd"], signal);
  expect(await known()).toEqual([{ party: "p0::1220cd", isLocal: false, record: null }]);
});

test("without enough answers one part is asked for, and nothing is learnt from none", async () => {
  const some = await network(topology, { isComplete: false });
  await some.learner.learnPage({ after: "", prefix: "", limit: 10_000 }, signal);
  expect([some.asked.length, (await some.known()).length]).toEqual([1, 1000]);
  const none = await network(null);
  await none.learner.learnPage({ after: "", prefix: "", limit: 10_000 }, signal);
  await none.learner.learn(["p0001::1220cd"], signal);
  expect([none.asked.length, await none.known()]).toEqual([1, []]);
});

test("a caller that has gone is not worked for", async () => {
  const { learner, asked, known } = await network(topology);
  const gone = AbortSignal.abort();
  await learner.learnPage({ after: "", prefix: "", limit: 10 }, gone);
  await learner.learn(["p0001::1220cd"], gone);
  expect([asked, await known()]).toEqual([[], []]);
});
