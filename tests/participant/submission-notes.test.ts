/** Notes about submissions that are under way. */

import { join } from "node:path";
import { openDatabase, systemHost } from "@callsign/node";
import { expect, test } from "vitest";
import type { SqliteStore } from "../../packages/node/src/database/sqlite-store.ts";
import { temporaryFolder } from "../../packages/node/testing/temporary-folder.ts";
import { openParticipantStore } from "../../packages/participant/src/store/open-participant-store.ts";
import {
  dropNotes,
  SubmissionNotes,
  takeNote,
} from "../../packages/participant/src/store/submission-notes.ts";

const MINUTE = 60_000_000n;

const trace = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", tracestate: null };

function noteOf(id: string, maxRecordTime = 0n) {
  return {
    id,
    workflowId: `flow of ${id}`,
    submissionId: null,
    maxRecordTime,
    context: { trace, period: null },
  };
}

function openStore(): Promise<SqliteStore> {
  return openParticipantStore(openDatabase(join(temporaryFolder(), "notes.sqlite")));
}

test("a note is taken once", async () => {
  const store = await openStore();
  const notes = new SubmissionNotes(store, systemHost.timers);
  await Promise.all([notes.keep(noteOf("a")), notes.keep(noteOf("b")), notes.keep(noteOf("c"))]);
  expect(await takeNote(store, "b")).toEqual({
    workflowId: "flow of b",
    submissionId: null,
    context: { trace, period: null },
  });
  expect(await takeNote(store, "b")).toBeUndefined();
  await notes.forget("c");
  expect(await takeNote(store, "c")).toBeUndefined();
  expect(await takeNote(store, "a")).toBeDefined();
  await store.close();
});

test("a note that cannot be kept leaves the next one alone", async () => {
  const store = await openStore();
  const notes = new SubmissionNotes(store, systemHost.timers);
  await notes.keep(noteOf("a"));
  await expect(notes.keep(noteOf("a"))).rejects.toThrow();
  await notes.keep(noteOf("b"));
  expect(await takeNote(store, "b")).toBeDefined();
  await store.close();
});

test("notes whose time is long over are dropped, and so are the oldest of too many", async () => {
  const store = await openStore();
  const notes = new SubmissionNotes(store, systemHost.timers);
  await Promise.all(Array.from({ length: 10_002 }, (_, i) => notes.keep(noteOf(`${i}`, BigInt(i) * MINUTE))));
  const count = async () => (await store.get("select count(*) as notes from submission_note"))?.["notes"];
  const countContexts = async () =>
    (await store.get("select count(*) as contexts from submission_note_context"))?.["contexts"];
  expect(await count()).toBe(10_000n);
  expect(await countContexts()).toBe(10_000n);
  expect(await takeNote(store, "1")).toBeUndefined();
  await dropNotes(store, 10_001n * MINUTE);
  expect(await count()).toBe(11n);
  expect(await countContexts()).toBe(11n);
  await store.close();
});
