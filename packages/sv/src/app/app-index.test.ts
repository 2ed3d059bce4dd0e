import {
  type Contract,
  type ContractId,
  type PartyId,
  timeFromMicros,
  ValidatorOnboarding,
} from "@callsign/ledger";
import { openDatabase } from "@callsign/node";
import { type CreatedContract, SqliteState } from "@callsign/synchronizer";
import { beforeEach, expect, test } from "vitest";
import { preparedSecret, usedSecret } from "../../testing/onboarding-contracts.ts";
import { AppIndex } from "./app-index.ts";
import { hashSecret } from "./onboarding-secret.ts";

const first = "sv-1::1220ab" as PartyId;
const second = "second::1220cd" as PartyId;
const stranger = "stranger::1220ef" as PartyId;
const network = {
  dso: "DSO::1220" as PartyId,
  svs: ["sv-1::1220ab", "sv-2::1220cd"],
} as unknown as NonNullable<SqliteState["network"]>;

let state: SqliteState;
let place: bigint;
beforeEach(() => {
  state = new SqliteState(openDatabase(":memory:"));
  place = 0n;
});

function created(contract: Contract, sv: PartyId): CreatedContract {
  return { contract, value: undefined, signatories: [sv], place: ++place };
}

const prepared = (id: string, sv: PartyId) => created(preparedSecret(id, { sv, secret: "word" }), sv);
const used = (id: string, sv: PartyId) =>
  created(usedSecret(id, { sv, secret: "word", validator: stranger }), sv);

function absorb(index: AppIndex, made: readonly CreatedContract[], ended: readonly string[] = []): void {
  const { id: templateId } = ValidatorOnboarding;
  const archived = ended.map((contractId) => ({ templateId, contractId: contractId as ContractId }));
  index.absorb({ created: made, archived, outcome: null }, { network });
}

const stateOf = (index: AppIndex, sv: PartyId) =>
  index.onboardingsOf(sv).findBySecret(hashSecret({ secret: "word" }))?.state;

test("an index of all SVs keeps the secrets of each, whoever opened it, and none of a stranger", () => {
  absorb(new AppIndex(state, null), [prepared("a", first), prepared("b", second), prepared("c", stranger)]);
  const index = new AppIndex(state, null);
  expect([first, second, stranger].map((sv) => stateOf(index, sv))).toEqual(["unused", "unused", undefined]);
  absorb(index, [used("u", second)], ["b"]);
  expect([stateOf(index, first), stateOf(index, second)]).toEqual(["unused", "used"]);
  absorb(new AppIndex(state, null), [], ["a"]);
  expect([stateOf(index, first), stateOf(index, second)]).toEqual(["expired", "used"]);
});

test("what each SV remembers of its rows is read again after a rollback", () => {
  const index = new AppIndex(state, null);
  absorb(index, [prepared("a", first), prepared("b", second)]);
  const dueOf = (sv: PartyId) => index.onboardingsOf(sv).nextExpiry(timeFromMicros(0n));
  expect([dueOf(first), dueOf(second)]).toEqual([10n, 10n]);
  state.database.exec("delete from sv_onboarding");
  index.reload();
  expect([dueOf(first), dueOf(second)]).toEqual([null, null]);
});

test("an index of one SV keeps no secrets of others", () => {
  const index = new AppIndex(state, first);
  absorb(index, [prepared("a", first), prepared("b", second)]);
  expect(stateOf(index, first)).toBe("unused");
  expect(() => index.onboardingsOf(second)).toThrow(`keeps no onboarding secrets of ${second}`);
  expect(new AppIndex(state, null).onboardingsOf(second).countOpen()).toBe(0);
});
