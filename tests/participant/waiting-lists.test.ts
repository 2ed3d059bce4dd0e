/** Lists that wait hold a connection each: one user may have some of them, and not all there are. */
import { expect, test } from "vitest";
import { newActor, readyParticipant } from "../support/participants.ts";
import { refusalOf } from "./call.ts";
import { createPreference, everythingOf } from "./preferences.ts";

test("a user with too many waiting lists is refused, and other users are not", async () => {
  const participant = await readyParticipant();
  const alice = await newActor(participant, "alice");
  const bob = await newActor(participant, "bob");
  const wait = async ({ client, party }: typeof alice, milliseconds: bigint) => {
    const { offset: beginExclusive } = await client.getLedgerEnd();
    return client.listUpdates({
      query: { stream_idle_timeout_ms: milliseconds },
      body: {
        beginExclusive,
        updateFormat: {
          includeTransactions: {
            eventFormat: everythingOf(party),
            transactionShape: "TRANSACTION_SHAPE_ACS_DELTA",
          },
        },
      },
    });
  };
  const held = Array.from({ length: 101 }, () => wait(alice, 30_000n));
  const refused = await refusalOf(Promise.race(held));
  expect(refused).toMatchObject({ status: 409, code: "PARTICIPANT_BACKPRESSURE", retryInfo: "1 second" });
  expect(refused.cause).toContain("100 waiting lists");
  await wait(bob, 10n);
  const completions = alice.client.listCompletions({
    query: { stream_idle_timeout_ms: 3000n },
    body: {
      userId: alice.user,
      parties: [alice.party],
      beginExclusive: (await alice.client.getLedgerEnd()).offset,
    },
  });
  expect(await refusalOf(completions)).toMatchObject({ code: "PARTICIPANT_BACKPRESSURE" });
  // Each ends with the first item.
  await alice.client.submitAndWait({ body: createPreference(alice.party) });
  const ended = await Promise.allSettled(held);
  expect(ended.filter(({ status }) => status === "rejected")).toHaveLength(1);
  await wait(alice, 10n);
});
