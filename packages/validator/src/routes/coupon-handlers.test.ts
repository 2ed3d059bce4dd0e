// Each list has the coupons of its kind, of the caller alone. The SVs name beneficiaries of theirs, and nobody creates
// the old kind of liveness coupon any more: a real store takes them from the participant's events.

import {
  type AnyTemplateDeclaration,
  AppRewardCoupon,
  type ContractId,
  ledgerJson,
  type PartyId,
  type PayloadOf,
  SvRewardCoupon,
  ValidatorFaucetCoupon,
  ValidatorLivenessActivityRecord,
  ValidatorRewardCoupon,
  ValidatorRight,
} from "@callsign/ledger";
import type { Call } from "@callsign/node";
import { openDatabase, openSqliteStore } from "@callsign/node";
import { afterAll, expect, test } from "vitest";
import { walletMigrations } from "../store/wallet-migrations.ts";
import { WalletStore } from "../store/wallet-store.ts";
import type { Caller } from "./caller.ts";
import { couponHandlers } from "./coupon-handlers.ts";
import type { Running } from "./running.ts";

const party = (hint: string) => `${hint}::1220${"ab".repeat(32)}` as PartyId;
const [dso, validator, user, other] = [party("DSO"), party("validator"), party("user"), party("other")];

const database = await openSqliteStore(openDatabase(":memory:"), walletMigrations);
afterAll(() => database.close());
const store = new WalletStore(database);

let nodeId = 0;
function created<T extends AnyTemplateDeclaration>(template: T, payload: PayloadOf<T>) {
  const digits = String(++nodeId).padStart(2, "0");
  const CreatedEvent = {
    ...{ offset: 1, nodeId, contractId: `00${digits.repeat(32)}ca10${digits.repeat(32)}` },
    ...{ templateId: template.id, createArgument: template.record.toJson(payload, ledgerJson) },
    ...{ contractKey: null, contractKeyHash: "", createdEventBlob: "", interfaceViews: [] },
    ...{ witnessParties: [], signatories: [], observers: [], createdAt: "2025-01-23T12:48:21.5Z" },
    ...{ packageName: "", representativePackageId: "", acsDelta: true },
  };
  return { CreatedEvent };
}

const round = { number: 4n };
const amount = 10_000_000_000n as PayloadOf<typeof AppRewardCoupon>["amount"];

await store.apply(
  [
    {
      events: [
        created(AppRewardCoupon, { dso, provider: user, featured: true, amount, round, beneficiary: null }),
        created(AppRewardCoupon, { dso, provider: user, featured: true, amount, round, beneficiary: other }),
        created(SvRewardCoupon, { dso, sv: other, beneficiary: user, round, weight: 3n }),
        created(SvRewardCoupon, { dso, sv: user, beneficiary: other, round, weight: 3n }),
        created(ValidatorFaucetCoupon, { dso, validator: user, round }),
        created(ValidatorFaucetCoupon, { dso, validator, round }),
        created(ValidatorLivenessActivityRecord, { dso, validator: user, round }),
        created(ValidatorLivenessActivityRecord, { dso: other, validator: user, round }),
        created(ValidatorRewardCoupon, { dso, user, amount, round }),
        created(ValidatorRewardCoupon, { dso, user: other, amount, round }),
        created(ValidatorRight, { dso, user, validator }),
        created(ValidatorRight, { dso, user, validator }),
        created(ValidatorRight, { dso, user: other, validator: other }),
      ],
    },
  ],
  { from: 0, offset: 1, recordTime: 0n, dso },
);

const handlers = couponHandlers(() => ({ store }) as unknown as Running);
type ListId = keyof typeof handlers;

function list(id: ListId, caller: PartyId): Promise<unknown> {
  const wallet = { userName: "", party: caller, install: "" as ContractId };
  return handlers[id]({} as never, { caller: { userName: "", wallet } } as unknown as Call<Caller>);
}

const shown = (payload: Readonly<Record<string, unknown>>) => [expect.objectContaining({ payload })];

test.each<[ListId, PartyId, Record<string, unknown>]>([
  [
    "listAppRewardCoupons",
    user,
    {
      app_reward_coupons: shown({
        ...{ dso, provider: user, featured: true, amount: "1.0" },
        ...{ round: { number: "4" }, beneficiary: null },
      }),
    },
  ],
  [
    "listSvRewardCoupons",
    user,
    {
      sv_reward_coupons: shown({ dso, sv: other, beneficiary: user, round: { number: "4" }, weight: "3" }),
    },
  ],
  [
    "listValidatorFaucetCoupons",
    user,
    { validator_faucet_coupons: shown({ dso, validator: user, round: { number: "4" } }) },
  ],
  [
    "listValidatorLivenessActivityRecords",
    user,
    { validator_liveness_activity_records: shown({ dso, validator: user, round: { number: "4" } }) },
  ],
  [
    "listValidatorRewardCoupons",
    validator,
    {
      validator_reward_coupons: shown({ dso, user, amount: "1.0", round: { number: "4" } }),
    },
  ],
  ["listValidatorRewardCoupons", user, { validator_reward_coupons: [] }],
])("%s of %s", async (id, caller, expected) => {
  expect(await list(id, caller)).toEqual(expected);
});
