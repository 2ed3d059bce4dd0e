import type { StreamEvent } from "@callsign/api";
import { expect, test } from "vitest";
import type { StreamEntry } from "./stream-entry.ts";
import { EntryProjection } from "./stream-item.ts";

/** Like what differs between members, but within a string. */
const LIKE_A_VIEW = '{"witnesses":["alice","bob"],"acsDelta":true,"text":"$& $1"}';

function created(nodeId: number, { signatories, witnesses, acsDelta }: Partial<StreamEvent>): StreamEvent {
  const shared = { nodeId, signatories: signatories ?? [], observers: [], witnesses: witnesses ?? [] };
  const frame = { ...shared, acsDelta: acsDelta ?? true, contractId: "00aa", templateId: LIKE_A_VIEW };
  return { kind: "created", ...frame, payload: LIKE_A_VIEW, createdAt: "7" };
}

const all = ["alice", "bob", "$&"];
const entry: StreamEntry = {
  recordTime: "7",
  completion: {
    ...{ member: "first", userId: "u", commandId: "c", submissionId: "s", actAs: ["alice"], updateId: "12" },
    error: null,
  },
  update: {
    updateId: "12",
    ledgerTime: "7",
    events: [
      created(0, { signatories: ["alice"], witnesses: all }),
      created(1, { signatories: ["bob"], witnesses: ["alice", "bob"] }),
      created(2, { signatories: ["alice"], witnesses: ["bob"], acsDelta: false }),
      created(3, { signatories: ["$&"], witnesses: ["$&"] }),
    ],
  },
  hosts: [
    ["alice", ["first", "second"]],
    ["bob", ["first"]],
    ["$&", ["first", "third"]],
  ],
  rehosted: [{ party: "alice", hosts: ["second"], former: ["third"] }],
};

/** The text of a member's item, without what the projection shares between texts. */
function expectedBody(member: string, completion: unknown, hostings: unknown): string {
  const parties = entry.hosts.flatMap(([party, members]) => (members.includes(member) ? [party] : []));
  const seen = (party: string) => parties.includes(party);
  const events = (entry.update?.events ?? [])
    .filter(({ witnesses }) => witnesses.some(seen))
    .map((event) => ({
      ...event,
      witnesses: event.witnesses.filter(seen),
      acsDelta: event.acsDelta && event.signatories.some(seen),
    }));
  return JSON.stringify({ recordTime: "7", completion, update: { ...entry.update, events }, hostings });
}

test("a member's text is the JSON of what it sees", () => {
  const { member: _, ...completion } = entry.completion ?? {};
  const projection = new EntryProjection(entry);
  expect(projection.bodyFor("first")).toBe(expectedBody("first", completion, []));
  const second = expectedBody("second", null, [{ party: "alice", hosted: true }]);
  expect(projection.bodyFor("second")).toBe(second);
  const third = expectedBody("third", null, [{ party: "alice", hosted: false }]);
  expect(projection.bodyFor("third")).toBe(third);
});

test("the text of an entry is its JSON", () => {
  expect(new EntryProjection(entry).text).toBe(JSON.stringify(entry));
  const other = { ...entry, completion: null, update: null };
  expect(new EntryProjection(other).text).toBe(JSON.stringify(other));
});
