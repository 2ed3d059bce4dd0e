/** The admin API is for the participant's admins, operation by operation; everybody else changes nothing. */
import { beforeAll, describe, expect, test } from "vitest";
import { participantAdminApi } from "../../packages/api/src/index.ts";
import { atEndOfFile } from "../../packages/node/testing/at-end.ts";
import { ADMIN, newActor, newParticipant, ready, type TestParticipant } from "../support/participants.ts";
import { startSvNodes } from "../support/sv-nodes.ts";
import { call, errorOf } from "./call.ts";

const atEnd = atEndOfFile();
let participant: TestParticipant;
let sequencers: readonly string[];

beforeAll(async () => {
  sequencers = (await startSvNodes(1, atEnd)).sequencers;
  participant = await newParticipant(sequencers, {}, atEnd);
  await ready(participant);
  await newActor(participant, "alice");
});

/** A body that would be taken: a row for each operation, so that a new one is not forgotten. */
const bodies: Readonly<Record<keyof typeof participantAdminApi.endpoints, () => unknown>> = {
  getPruningSchedule: () => undefined,
  setPruningSchedule: () => ({ cron: "0 0 3 * * ?", maxDuration: "1h", retention: "30d" }),
  clearPruningSchedule: () => undefined,
  prune: () => ({ offset: 1 }),
  getPruningStatus: () => undefined,
  getIdentity: () => undefined,
  getSequencerConnections: () => undefined,
  setSequencerConnections: () => ({ urls: sequencers }),
};

describe.each(Object.values(participantAdminApi.endpoints))("$method $path", ({ id, method, path }) => {
  const ask = (user: string | null, given: { authorization?: string; body?: unknown } = {}) =>
    call(`${participant.url}${participantAdminApi.basePath}${path}`, {
      ...{ method, user, body: bodies[id]() },
      ...given,
    });

  test("needs a token that holds", async () => {
    expect(errorOf(await ask(null))).toMatchObject({ status: 401, code: "NA" });
    expect(errorOf(await ask(null, { authorization: "Bearer e30.e30.e30" }))).toMatchObject({ status: 401 });
  });

  test("needs ParticipantAdmin", async () => {
    expect(errorOf(await ask("alice"))).toMatchObject({ status: 403, code: "NA" });
    expect(errorOf(await ask("nobody"))).toMatchObject({ status: 403, code: "NA" });
  });

  test("answers an admin", async () => {
    const answer = await ask(ADMIN);
    if (id === "prune") {
      // There is one item only, and the last one stays.
      expect(errorOf(answer)).toMatchObject({ code: "OFFSET_OUT_OF_RANGE" });
    } else expect(answer.status).toBe(200);
  });

  if (bodies[id]() === undefined) return;
  test("refuses a body that is not its own", async () => {
    for (const body of [{}, [], { offset: "x" }, { offset: 1.5 }, { urls: "http://x" }, { cron: 1 }]) {
      expect(errorOf(await ask(ADMIN, { body }))).toMatchObject({ status: 400 });
    }
  });
});

test("it has a document of its own, with every operation", async () => {
  const { json } = await call(`${participant.url}/docs/participant-admin/openapi.json`, { method: "GET" });
  const paths = Object.keys((json as { paths: object }).paths).sort();
  const expected = Object.values(participantAdminApi.endpoints).map(({ path }) => path);
  expect(paths).toEqual([...new Set<string>(expected)].sort());
});
