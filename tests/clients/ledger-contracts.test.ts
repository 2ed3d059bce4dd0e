// Contracts through the Canton Network's own ledger client, unmodified: what a user creates, reads, changes.

import { awaitCompletion, isJsCantonError, type LedgerClient } from "@canton-network/core-ledger-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fresh } from "../support/fresh.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { type Actor, createPreference, endOf, everythingOf, newActor, PREFERENCE } from "./actors.ts";
import { scanClient } from "./real-clients.ts";

let world: LocalNetwork;
beforeAll(async () => {
  world = await LocalNetwork.start();
});
afterAll(() => world?.close());

/** Through `for-transaction`, for the id of what it created. */
async function createdBy(
  client: LedgerClient,
  commands: ReturnType<typeof createPreference>,
): Promise<string> {
  const { transaction } = await client.post("/v2/commands/submit-and-wait-for-transaction", { commands });
  const [created] = (transaction.events ?? []).flatMap((event) =>
    "CreatedEvent" in event ? [event.CreatedEvent.contractId] : [],
  );
  if (created === undefined) throw new Error("nothing was created");
  return created;
}

describe("contracts", () => {
  test("are created, read, exercised and remembered", async () => {
    const carol = await newActor(world, "carol");
    const { client, party } = carol;
    const before = await endOf(client);
    const commands = createPreference(carol);
    const { updateId, completionOffset } = await client.postWithRetry(
      "/v2/commands/submit-and-wait",
      commands,
    );
    expect(updateId).toMatch(/^1220[0-9a-f]{64}$/);
    const active = await client.post("/v2/state/active-contracts", {
      activeAtOffset: completionOffset,
      eventFormat: everythingOf(party),
    });
    const [contractId, ...others] = active.flatMap(({ contractEntry }) =>
      contractEntry !== undefined && "JsActiveContract" in contractEntry
        ? [contractEntry.JsActiveContract.createdEvent.contractId]
        : [],
    );
    expect([typeof contractId, others]).toEqual(["string", []]);

    const { transaction } = await client.post("/v2/commands/submit-and-wait-for-transaction", {
      commands: {
        ...commands,
        commandId: fresh("set"),
        commands: [
          {
            ExerciseCommand: {
              templateId: PREFERENCE,
              contractId: contractId ?? "",
              choice: "RenewalPreference_Set",
              choiceArgument: { autoRenew: false },
            },
          },
        ],
      },
    });
    expect(transaction.events?.map((event) => Object.keys(event)[0])).toEqual([
      "ArchivedEvent",
      "CreatedEvent",
    ]);
    const events = await client.post("/v2/events/events-by-contract-id", {
      contractId: contractId ?? "",
      eventFormat: everythingOf(party),
    });
    expect(events.created?.createdEvent.offset).toBe(completionOffset);
    expect(events.archived?.archivedEvent.offset).toBe(transaction.offset);
    const updates = await client.post("/v2/updates", {
      beginExclusive: before,
      endInclusive: transaction.offset,
      verbose: false,
      updateFormat: {
        includeTransactions: {
          eventFormat: everythingOf(party),
          transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS",
        },
      },
    });
    const ids = updates.flatMap(({ update }) =>
      update !== undefined && "Transaction" in update ? [update.Transaction.value.updateId] : [],
    );
    expect(ids).toEqual([updateId, transaction.updateId]);
  });

  test("their completions are waited for by command id, also one that is still to come", async () => {
    const dora = await newActor(world, "dora");
    const offset = await endOf(dora.client);
    const waiting = awaitCompletion(dora.client, offset, dora.party, dora.user, "later");
    await dora.client.post("/v2/commands/submit-and-wait", createPreference(dora, "sooner"));
    const later = await dora.client.post("/v2/commands/submit-and-wait", createPreference(dora, "later"));
    expect(await waiting).toMatchObject({
      commandId: "later",
      updateId: later.updateId,
      offset: later.completionOffset,
      userId: dora.user,
      actAs: [dora.party],
      status: { code: 0 },
    });
  });

  test("coin is tapped with rules and round that scan discloses", async () => {
    const erin = await newActor(world, "erin");
    const scan = scanClient(`${world.net.svs[1]?.scanUrl}/api/scan`);
    const [rules, round] = [await scan.getAmuletRules(), await scan.getActiveOpenMiningRound()];
    if (round === null) throw new Error("no round is open");
    const choiceArgument = { receiver: erin.party, amount: "12.5", openRound: round.contract_id };
    const templateId = "#splice-amulet:Splice.AmuletRules:AmuletRules";
    const { transaction } = await erin.client.post("/v2/commands/submit-and-wait-for-transaction", {
      commands: {
        commandId: "tap",
        userId: erin.user,
        actAs: [erin.party],
        commands: [
          {
            ExerciseCommand: {
              templateId,
              contractId: rules.contract_id,
              choice: "AmuletRules_DevNet_Tap",
              choiceArgument,
            },
          },
        ],
        disclosedContracts: [rules, round].map(({ contract_id, created_event_blob, template_id }) => ({
          contractId: contract_id,
          createdEventBlob: created_event_blob,
          templateId: template_id,
          synchronizerId: "",
        })),
      },
    });
    const [coin] = transaction.events ?? [];
    if (coin === undefined || !("CreatedEvent" in coin)) throw new Error("no coin was made");
    expect(coin.CreatedEvent.createArgument).toMatchObject({
      owner: erin.party,
      amount: { initialAmount: "12.5000000000" },
    });
  });

  test("contracts are seen by nobody else, and a failed command is an error that the client knows", async () => {
    const [fay, gus] = [await newActor(world, "fay"), await newActor(world, "gus")];
    const contractId = await createdBy(fay.client, createPreference(fay));
    const offset = await endOf(gus.client);
    const attempts: readonly [string, Promise<unknown>][] = [
      [
        "CONTRACT_EVENTS_NOT_FOUND",
        gus.client.post("/v2/events/events-by-contract-id", {
          contractId,
          eventFormat: everythingOf(gus.party),
        }),
      ],
      [
        "NA",
        gus.client.post("/v2/state/active-contracts", {
          activeAtOffset: offset,
          eventFormat: everythingOf(fay.party),
        }),
      ],
      ["NA", gus.client.post("/v2/commands/submit-and-wait", { ...createPreference(fay), userId: gus.user })],
      ["DUPLICATE_COMMAND", repeat(fay)],
    ];
    for (const [code, attempt] of attempts) {
      const error = await attempt.catch((thrown: unknown) => thrown);
      expect([isJsCantonError(error), (error as { code?: string }).code]).toEqual([true, code]);
    }
  });
});

async function repeat(actor: Actor): Promise<unknown> {
  const commands = createPreference(actor, "once");
  await actor.client.post("/v2/commands/submit-and-wait", commands);
  return actor.client.post("/v2/commands/submit-and-wait", commands);
}
