/** Daml values on the wire: how payloads are written, and what is taken of what clients write. */
import { beforeAll, describe, expect, test } from "vitest";
import { AMULET } from "../participant/coins.ts";
import { createdIn, formatFor, listActive, newParty, submissionOf, submit } from "./dummies.ts";
import { expectFailure } from "./failure.ts";
import { ledgerOfFile, OPEN } from "./ledger.ts";

const ledger = ledgerOfFile(OPEN);
const LOCKED = AMULET.replace(/Amulet$/, "LockedAmulet");
let party: string;
beforeAll(async () => {
  party = await newParty(ledger);
});

type Json = Record<string, unknown>;
type Lock = { readonly holders?: unknown; readonly expiresAt?: unknown; readonly optContext?: unknown };

/** A coin of the party's own making, which is its own DSO: it has numbers, a time, a list and an optional. */
function locked(
  changed: { readonly amount?: Json; readonly amulet?: Json; readonly lock?: Lock; readonly top?: Json } = {},
) {
  const amount = {
    initialAmount: "12.5",
    createdAt: { number: "7" },
    ratePerRound: { rate: "0.0000000001" },
    ...changed.amount,
  };
  const createArguments = {
    amulet: { dso: party, owner: party, amount, ...changed.amulet },
    lock: { holders: [party], expiresAt: "2030-01-01T00:00:00.5Z", ...changed.lock },
    ...changed.top,
  };
  return { CreateCommand: { templateId: LOCKED, createArguments: createArguments as never } };
}

async function written(changed: Parameters<typeof locked>[0] = {}): Promise<Json> {
  const event = createdIn(await submit(ledger, party, locked(changed)));
  return event.createArgument as Json;
}

describe("a payload is written", () => {
  test("with numerics at full scale, integers as text, and no optional that is absent at the end", async () => {
    expect(await written()).toEqual({
      amulet: {
        dso: party,
        owner: party,
        amount: {
          initialAmount: "12.5000000000",
          createdAt: { number: "7" },
          ratePerRound: { rate: "0.0000000001" },
        },
      },
      lock: { holders: [party], expiresAt: "2030-01-01T00:00:00.5Z" },
    });
  });

  test("with an optional that has a value as that value", async () => {
    const { lock } = await written({ lock: { optContext: "why" } });
    expect(lock).toEqual({ holders: [party], expiresAt: "2030-01-01T00:00:00.5Z", optContext: "why" });
  });

  test.each([
    ["2030-01-01T00:00:00Z", "2030-01-01T00:00:00Z"],
    ["2030-01-01T00:00:00.000010Z", "2030-01-01T00:00:00.00001Z"],
    ["2030-01-01T02:00:00.500+02:00", "2030-01-01T00:00:00.5Z"],
    ["2030-01-01T00:00:00.1234569Z", "2030-01-01T00:00:00.123456Z"],
  ])("with the time %s as %s", async (expiresAt, shown) => {
    const { lock } = await written({ lock: { expiresAt } });
    expect((lock as Lock).expiresAt).toBe(shown);
  });

  test("a payload is read in the same form everywhere", async () => {
    const payload = await written({ lock: { optContext: "everywhere" } });
    const [event] = (await listActive(ledger, formatFor([party]))).slice(-1);
    expect(event?.createArgument).toEqual(payload);
    // The event's own time is no Daml value: its fraction has three or six digits, or there is none.
    expect(event?.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3}|\.\d{6})?Z$/);
  });
});

describe("a payload is accepted with", () => {
  test.each<[string, Parameters<typeof locked>[0]]>([
    ["an integer as a number", { amount: { createdAt: { number: 7 } } }],
    ["a numeric as a number", { amount: { initialAmount: 12.5 } }],
    ["null for an optional", { lock: { optContext: null } }],
    ["a field that nobody knows, if it is null", { top: { unknown: null } }],
  ])("%s", async (_, changed) => {
    expect(await written(changed)).toEqual(await written());
  });
});

describe("a payload is refused with", () => {
  const refused = (changed: Parameters<typeof locked>[0]) =>
    ledger.open.submitAndWait({ body: submissionOf(party, [locked(changed)]) });

  test.each<[string, Parameters<typeof locked>[0], string, string]>([
    ["a field that nobody knows", { top: { unknown: 1 } }, "INVALID_ARGUMENT", "unknown"],
    ["one further in", { amount: { more: "x" } }, "INVALID_ARGUMENT", "more"],
    ["a field that is missing", { amulet: { owner: undefined } }, "COMMAND_PREPROCESSING_FAILED", "owner"],
    ["null for what is no optional", { amulet: { owner: null } }, "INVALID_ARGUMENT", "owner"],
    ["text that is no integer", { amount: { createdAt: { number: "x" } } }, "INVALID_ARGUMENT", "number"],
    [
      "an integer beyond 64 bits",
      { amount: { createdAt: { number: "9223372036854775808" } } },
      "INVALID_ARGUMENT",
      "number",
    ],
    [
      "a number with a fraction as an integer",
      { amount: { createdAt: { number: 1.5 } } },
      "INVALID_ARGUMENT",
      "number",
    ],
    ["text that is no numeric", { amount: { initialAmount: "1,5" } }, "INVALID_ARGUMENT", "initialAmount"],
    ["a truth as a numeric", { amount: { initialAmount: true } }, "INVALID_ARGUMENT", "initialAmount"],
    [
      "a time without its zone",
      { lock: { expiresAt: "2030-01-01T00:00:00" } },
      "INVALID_ARGUMENT",
      "expiresAt",
    ],
    ["a number as a time", { lock: { expiresAt: 5 } }, "INVALID_ARGUMENT", "expiresAt"],
    ["an object as a list", { lock: { holders: {} } }, "INVALID_ARGUMENT", "holders"],
    ["a number as a party", { lock: { holders: [5] } }, "INVALID_ARGUMENT", "holders"],
    ["a number as text", { lock: { optContext: 5 } }, "INVALID_ARGUMENT", "optContext"],
  ])("%s", async (_, changed, code, words) => {
    const failure = await expectFailure(refused(changed), code, words);
    expect(failure.status).toBe(400);
  });
});
