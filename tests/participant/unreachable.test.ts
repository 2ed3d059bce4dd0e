/** Errors of submissions that the network does not accept, and of too many at once. */
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../packages/node/testing/until.ts";
import type { ParticipantConfig } from "../../packages/participant/src/start-participant.ts";
import { beforeSequencer } from "../support/faulty-sequencer.ts";
import { AUDIENCE, newActor, newParticipant, ready, SECRET, tokenFor } from "../support/participants.ts";
import { startSvNodes } from "../support/sv-nodes.ts";
import { call, errorOf, refusalOf } from "./call.ts";
import { createPreference, listActive } from "./preferences.ts";

const MINUTE = 60_000_000n;

async function networkBehindOne(options: Partial<ParticipantConfig> = {}) {
  const network = await startSvNodes(1);
  const sequencer = await beforeSequencer(network.sequencers[0] ?? "", onTestFinished);
  const participant = await newParticipant([sequencer.url], options);
  await ready(participant);
  const alice = await newActor(participant, "alice");
  return { network, sequencer, participant, alice };
}

test("a submission that is lost until its latest record time fails for certain", async () => {
  const { network, sequencer, alice } = await networkBehindOne();
  sequencer.behave("swallow");
  const refused = refusalOf(alice.client.submitAndWait({ body: createPreference(alice.party) }));
  let answered = false;
  const watched = refused.finally(() => {
    answered = true;
  });
  await until(async () => {
    if (!answered) await network.svs[0]?.moveClock(2n * MINUTE);
    return answered;
  }, "the submission is given up");
  expect(await watched).toMatchObject({ status: 409, code: "NOT_SEQUENCED_TIMEOUT", retryInfo: "1 second" });
  sequencer.behave("honest");
  await alice.client.submitAndWait({ body: createPreference(alice.party) });
  expect(await listActive(alice.client, alice.party)).toHaveLength(1);
});

test("a submission that a moved clock made late is made again", async () => {
  const { network, sequencer, alice } = await networkBehindOne();
  const head = () => network.svs[0]?.replica.state.head.sequence ?? 0;
  let moved = Number.POSITIVE_INFINITY;
  sequencer.atNextSubmission(async () => {
    // The network's time is read only when it is asked for.
    sequencer.behave("silent");
    await network.svs[0]?.moveClock(2n * MINUTE);
    moved = head();
  });
  const accepted = alice.client.submitAndWait({ body: createPreference(alice.party) });
  accepted.catch(() => undefined);
  const isTaken = async () => head() > moved || (await Promise.race([accepted, false])) !== false;
  await until(isTaken, "the network has it");
  sequencer.behave("honest");
  await accepted;
});

test("without a sequencer a submission is refused soon", async () => {
  const { sequencer, alice } = await networkBehindOne();
  await sequencer.stop();
  const refused = await refusalOf(alice.client.submitAndWait({ body: createPreference(alice.party) }));
  expect(refused).toMatchObject({ status: 409, code: "SEQUENCER_REQUEST_FAILED", errorCategory: 2 });
});

test("an asynchronous submission that no sequencer accepts is refused", async () => {
  const { sequencer, alice } = await networkBehindOne();
  sequencer.behave("refuse");
  const refused = await refusalOf(alice.client.submitAsync({ body: createPreference(alice.party) }));
  expect(refused).toMatchObject({ status: 409, code: "SEQUENCER_BACKPRESSURE", errorCategory: 2 });
  sequencer.behave("honest");
  await alice.client.submitAndWait({ body: createPreference(alice.party) });
  expect(await listActive(alice.client, alice.party)).toHaveLength(1);
});

test("a submission that one sequencer may have is not reported as refused when all refuse it later", async () => {
  const { sequencer, alice } = await networkBehindOne();
  sequencer.behave("swallow");
  const accepted = alice.client.submitAndWait({ body: createPreference(alice.party) });
  accepted.catch(() => undefined);
  await until(() => sequencer.swallowed() > 0, "the submission is sent");
  sequencer.behave("refuse");
  await until(() => sequencer.refused() >= 3, "it is refused thrice");
  sequencer.behave("honest");
  await accepted;
});

test("a user's submissions in flight are limited, and leave room for other users", async () => {
  const { sequencer, participant, alice } = await networkBehindOne();
  const bob = await newActor(participant, "bob");
  sequencer.behave("swallow");
  const all = Array.from({ length: 129 }, () =>
    alice.client.submitAndWait({ body: createPreference(alice.party) }),
  );
  const refused = await refusalOf(Promise.race(all));
  expect(refused).toMatchObject({ status: 409, code: "PARTICIPANT_BACKPRESSURE", retryInfo: "1 second" });
  expect(refused.cause).toContain("128 submissions of one user");
  const others = bob.client.submitAndWait({ body: createPreference(bob.party) });
  sequencer.behave("honest");
  await others;
  const ended = await Promise.allSettled(all);
  expect(ended.filter(({ status }) => status === "rejected")).toHaveLength(1);
  await alice.client.submitAndWait({ body: createPreference(alice.party) });
});

test("a submission without room is refused before its body is decoded, and strangers learn nothing of the load", async () => {
  const anyAudience = { kind: "hs256", secret: SECRET } as const;
  const { sequencer, participant, alice } = await networkBehindOne({
    auth: [{ ...anyAudience, audience: AUDIENCE }, anyAudience],
  });
  const actors = [alice, await newActor(participant, "bob"), await newActor(participant, "carol")];
  const commands = `${participant.url}/v2/commands`;
  const submit = `${commands}/submit-and-wait`;
  const malformed = async (url: string, user = "alice") => errorOf(await call(url, { user, text: "{" }));
  expect(await malformed(submit)).toMatchObject({ status: 400, code: "INVALID_ARGUMENT" });
  sequencer.behave("swallow");
  const all = actors.flatMap(({ client, party }) =>
    Array.from({ length: 100 }, () => client.submitAndWait({ body: createPreference(party) })),
  );
  await refusalOf(Promise.race(all));
  for (const path of [
    "submit-and-wait",
    "submit-and-wait-for-transaction",
    "submit-and-wait-for-transaction-tree",
    "async/submit",
  ]) {
    const refused = await malformed(`${commands}/${path}`);
    expect(refused, path).toMatchObject({ status: 409, code: "PARTICIPANT_BACKPRESSURE" });
  }
  expect(await malformed(submit, "nobody")).toMatchObject({ status: 409 });
  const body = createPreference(alice.party);
  expect((await call(submit, { body })).status).toBe(401);
  expect((await call(submit, { body, authorization: "Bearer none" })).status).toBe(401);
  const elsewhere = await tokenFor("alice", { aud: "https://daml.com/jwt/aud/participant/elsewhere" });
  expect((await call(submit, { body, authorization: `Bearer ${elsewhere}` })).status).toBe(403);
  await alice.client.getLedgerEnd();
  sequencer.behave("honest");
  await Promise.allSettled(all);
  expect(await malformed(submit)).toMatchObject({ status: 400, code: "INVALID_ARGUMENT" });
  await alice.client.submitAndWait({ body });
});

test("submissions in flight are limited, and one more is refused with backpressure", async () => {
  const { sequencer, participant, alice } = await networkBehindOne();
  const actors = [alice, await newActor(participant, "bob"), await newActor(participant, "carol")];
  sequencer.behave("swallow");
  const all = actors.flatMap(({ client, party }) =>
    Array.from({ length: 100 }, () => client.submitAndWait({ body: createPreference(party) })),
  );
  const refused = await refusalOf(Promise.race(all));
  expect(refused).toMatchObject({ status: 409, code: "PARTICIPANT_BACKPRESSURE", retryInfo: "1 second" });
  expect(refused.cause).toContain("256 submissions are under way");
  sequencer.behave("honest");
  const ended = await Promise.allSettled(all);
  expect(ended.filter(({ status }) => status === "rejected").length).toBeGreaterThanOrEqual(1);
});

test("a submission that is under way when the participant stops is answered that", async () => {
  const { sequencer, alice, participant } = await networkBehindOne();
  sequencer.behave("swallow");
  const outcome = alice.client.submitAndWait({ body: createPreference(alice.party) }).then(
    () => "accepted",
    (error: unknown) => (error instanceof Error ? error.name : "unknown"),
  );
  await until(() => sequencer.swallowed() > 0, "the submission is sent");
  await participant.close();
  expect(["HttpError", "TransportError"]).toContain(await outcome);
});
