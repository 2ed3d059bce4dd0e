/** A contract's life through a participant, over real HTTP to a real sequencer. */
import { expect, test } from "vitest";
import { newActor, readyParticipant } from "../support/participants.ts";
import { createPreference, everythingOf, listActive, setPreference } from "./preferences.ts";

test("a contract is created, read back, changed and remembered", async () => {
  const participant = await readyParticipant();
  const alice = await newActor(participant, "alice");
  const { updateId, completionOffset } = await alice.client.submitAndWait({
    body: createPreference(alice.party),
  });
  expect(updateId).toMatch(/^1220[0-9a-f]{64}$/);
  const [active, ...others] = await listActive(alice.client, alice.party);
  expect(others).toEqual([]);
  if (active === undefined || !("JsActiveContract" in active.contractEntry)) throw new Error("no contract");
  const { createdEvent } = active.contractEntry.JsActiveContract;
  expect(createdEvent.offset).toBe(completionOffset);
  expect(createdEvent.createArgument).toMatchObject({ subscriber: alice.party, autoRenew: true });
  expect(createdEvent.witnessParties).toEqual([alice.party]);
  const { contractId } = createdEvent;
  const { transaction } = await alice.client.submitAndWaitForTransaction({
    body: { commands: setPreference(alice.party, contractId) },
  });
  expect(transaction.events.map((event) => Object.keys(event)[0])).toEqual(["ArchivedEvent", "CreatedEvent"]);
  const events = await alice.client.getEventsByContractId({
    body: { contractId, eventFormat: everythingOf(alice.party) },
  });
  expect(events.created?.createdEvent).toEqual(createdEvent);
  expect(events.archived?.archivedEvent).toEqual(
    transaction.events.flatMap((event) => ("ArchivedEvent" in event ? [event.ArchivedEvent] : []))[0],
  );
  const updates = await alice.client.listUpdates({
    body: {
      beginExclusive: 0,
      updateFormat: {
        includeTransactions: {
          eventFormat: everythingOf(alice.party),
          transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS",
        },
      },
    },
  });
  expect(
    updates.map(({ update }) => ("Transaction" in update ? update.Transaction.value.offset : null)),
  ).toEqual([completionOffset, transaction.offset]);
});
