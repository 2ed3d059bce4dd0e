// Payloads of the real templates, byte for byte as the APIs carry them.
import { describe, expect, expectTypeOf, test } from "vitest";
import { Amulet, LockedAmulet } from "../contracts/splice-amulet/declarations/amulet.ts";
import {
  type AppTransferContext,
  TransferContext,
} from "../contracts/splice-amulet/declarations/transfer.ts";
import { type AnsEntry, AnsRules } from "../contracts/splice-amulet-name-service/declarations/ans.ts";
import { SubscriptionPayData } from "../contracts/splice-wallet-payments/declarations/subscriptions.ts";
import type { ContractId } from "../values/contract-id.ts";
import { type Decimal, decimal } from "../values/decimal.ts";
import { DAY } from "../values/duration.ts";
import type { PartyId } from "../values/party-id.ts";
import { type Time, time } from "../values/time.ts";
import { type DamlType, decodeText, type ValueOf } from "./daml-type.ts";
import { historyJson, ledgerJson, scanJson } from "./json-dialect.ts";

const hex = "0123456789abcdef".repeat(4);
const dso = `DSO::1220${hex}` as PartyId;
const alice = `alice::1220${hex}` as PartyId;
const cid = `00${hex}ca101220${hex}` as ContractId;

function expectForms<T>(
  type: DamlType<T>,
  value: NoInfer<T>,
  forms: { text: string; ledger: string; scan: string; history: string },
): void {
  expect(type.encode(value)).toBe(forms.text);
  expect(decodeText(type, forms.text)).toEqual(value);
  const dialects = [
    [ledgerJson, forms.ledger],
    [scanJson, forms.scan],
    [historyJson, forms.history],
  ] as const;
  for (const [dialect, json] of dialects) {
    expect(JSON.stringify(type.toJson(value, dialect))).toBe(json);
    expect(type.fromJson(JSON.parse(json), dialect)).toEqual(value);
  }
}

describe("in all forms", () => {
  test("AnsRules reads back from every form", () => {
    const json = (fee: string) =>
      `{"dso":"${dso}","config":{"renewalDuration":{"microseconds":"2592000000000"},` +
      `"entryLifetime":{"microseconds":"7776000000000"},"entryFee":"${fee}","descriptionPrefix":"ANS entry: "}}`;
    expectForms(
      AnsRules.record,
      {
        dso,
        config: {
          renewalDuration: { microseconds: 30n * DAY },
          entryLifetime: { microseconds: 90n * DAY },
          entryFee: decimal("1"),
          descriptionPrefix: "ANS entry: ",
        },
      },
      {
        text: `["${dso}",[["2592000000000"],["7776000000000"],"10000000000","ANS entry: "]]`,
        ledger: json("1.0000000000"),
        scan: json("1.0"),
        history: json("1.0000000000"),
      },
    );
  });

  test("SubscriptionPayData reads back from every form", () => {
    const json = (amount: string) =>
      `{"paymentAmount":{"amount":"${amount}","unit":"USDUnit"},` +
      '"paymentInterval":{"microseconds":"7776000000000"},"paymentDuration":{"microseconds":"2592000000000"}}';
    expectForms(
      SubscriptionPayData,
      {
        paymentAmount: { amount: decimal("1"), unit: "USDUnit" },
        paymentInterval: { microseconds: 7_776_000_000_000n },
        paymentDuration: { microseconds: 2_592_000_000_000n },
      },
      {
        text: '[["10000000000","USDUnit"],["7776000000000"],["2592000000000"]]',
        ledger: json("1.0000000000"),
        scan: json("1.0"),
        history: json("1.0000000000"),
      },
    );
  });

  test("Amulet reads back from every form", () => {
    const json = (amount: string, rate: string) =>
      `{"dso":"${dso}","owner":"${alice}","amount":{"initialAmount":"${amount}",` +
      `"createdAt":{"number":"28"},"ratePerRound":{"rate":"${rate}"}}}`;
    expectForms(
      Amulet.record,
      {
        dso,
        owner: alice,
        amount: {
          initialAmount: decimal("200"),
          createdAt: { number: 28n },
          ratePerRound: { rate: decimal("0.00380518") },
        },
      },
      {
        text: `["${dso}","${alice}",["2000000000000",["28"],["38051800"]]]`,
        ledger: json("200.0000000000", "0.0038051800"),
        scan: json("200.0", "0.00380518"),
        history: json("200.0000000000", "0.0038051800"),
      },
    );
  });

  test("LockedAmulet, whose lock ends with an optional that is None", () => {
    const json = (amount: string, rate: string, expiresAt: string, end: string) =>
      `{"amulet":{"dso":"${dso}","owner":"${alice}","amount":{"initialAmount":"${amount}",` +
      `"createdAt":{"number":"28"},"ratePerRound":{"rate":"${rate}"}}},` +
      `"lock":{"holders":["${dso}"],"expiresAt":"${expiresAt}"${end}}}`;
    const zero = decimal("0");
    expectForms(
      LockedAmulet.record,
      {
        amulet: {
          dso,
          owner: alice,
          amount: { initialAmount: decimal("200"), createdAt: { number: 28n }, ratePerRound: { rate: zero } },
        },
        lock: { holders: [dso], expiresAt: time("2026-01-31T12:00:00.6Z"), optContext: null },
      },
      {
        text: `[["${dso}","${alice}",["2000000000000",["28"],["0"]]],[["${dso}"],"1769860800600000",null]]`,
        ledger: json("200.0000000000", "0.0000000000", "2026-01-31T12:00:00.6Z", ""),
        scan: json("200.0", "0.0", "2026-01-31T12:00:00.600Z", ',"optContext":null'),
        history: json("200.0000000000", "0E-10", "2026-01-31T12:00:00.600Z", ',"optContext":null'),
      },
    );
  });

  test("TransferContext: maps are pairs", () => {
    const maps =
      `"openMiningRound":"${cid}","issuingMiningRounds":[[{"number":"5"},"${cid}"]],` +
      `"validatorRights":[["${alice}","${cid}"]]`;
    expectForms(
      TransferContext,
      {
        openMiningRound: cid,
        issuingMiningRounds: [[{ number: 5n }, cid]],
        validatorRights: [[alice, cid]],
        featuredAppRight: null,
      },
      {
        text: `["${cid}",[[["5"],"${cid}"]],[["${alice}","${cid}"]],null]`,
        ledger: `{${maps}}`,
        scan: `{${maps},"featuredAppRight":null}`,
        history: `{${maps},"featuredAppRight":null}`,
      },
    );
  });
});

test("a command's argument may leave optionals out, and says where it is wrong", () => {
  const argument = AnsRules.choices.AnsRules_RejectEntryInitialPayment.argument;
  const transferContext = { amuletRules: cid, openMiningRound: cid };
  expect(argument.fromJson({ paymentCid: cid, transferContext }, ledgerJson)).toEqual({
    paymentCid: cid,
    transferContext: { ...transferContext, featuredAppRight: null },
  });
  expect(() =>
    argument.fromJson(
      { paymentCid: cid, transferContext: { ...transferContext, amuletRules: "x" } },
      ledgerJson,
    ),
  ).toThrow("at 'transferContext.amuletRules'");
});

test("declarations give the types of payloads", () => {
  expectTypeOf<ValueOf<typeof AnsEntry.record>>().toEqualTypeOf<{
    readonly user: PartyId;
    readonly dso: PartyId;
    readonly name: string;
    readonly url: string;
    readonly description: string;
    readonly expiresAt: Time;
  }>();
  expectTypeOf<ValueOf<typeof AppTransferContext>["featuredAppRight"]>().toEqualTypeOf<ContractId | null>();
  expectTypeOf<ValueOf<typeof SubscriptionPayData>["paymentAmount"]>().toEqualTypeOf<{
    readonly amount: Decimal;
    readonly unit: "USDUnit" | "AmuletUnit" | "ExtUnit";
  }>();
});
