/** The founding envelope: what it founds, and by whom it is signed. */

import { expect, test } from "vitest";
import {
  AmuletPriceVote,
  AnsRules,
  DsoRules,
  defaultAnsConfig,
  OpenMiningRound,
  relTime,
} from "../../packages/ledger/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { HOUR } from "../../packages/ledger/src/values/duration.ts";
import { signFounding } from "../../packages/sv/src/founding/sign-founding.ts";
import { identityNamed } from "../support/sv-nodes.ts";
import { SvNetwork } from "./sv-network.ts";

test("four SVs found a network together, with the ledger's defaults", async () => {
  const network = await SvNetwork.found();
  const { svs, isDevNet } = network.only(DsoRules).payload;
  expect(isDevNet).toBe(true);
  expect(svs.map(([, { name }]) => name).sort()).toEqual(["sv-1", "sv-2", "sv-3", "sv-4"]);
  expect(svs.map(([party]) => party).sort()).toEqual(network.svs.map(({ party }) => party).sort());
  expect(network.network).toMatchObject({ acronym: "cns", movableClock: true, migrationId: 0n });
  expect(network.only(AnsRules).payload.config).toEqual(defaultAnsConfig);
  expect(network.active(OpenMiningRound)).toHaveLength(3);
});

test("founders may set names, prices, times and the acronym", async () => {
  const network = await SvNetwork.found({
    svs: 1,
    founding: {
      svs: [{ identity: identityNamed("sv1"), name: "Digital-Asset" }],
      acronym: "dns",
      isDevNet: false,
      amuletPrice: decimal("0.5"),
      tickMicroseconds: HOUR,
      entryFee: decimal("2.5"),
      entryLifetimeMicroseconds: 10n * HOUR,
      renewalMicroseconds: 2n * HOUR,
      initialRound: 7n,
    },
  });
  expect(network.network.acronym).toBe("dns");
  expect(network.only(DsoRules).payload.svs.map(([, { name }]) => name)).toEqual(["Digital-Asset"]);
  expect(network.only(AnsRules).payload.config).toMatchObject({
    entryFee: decimal("2.5"),
    entryLifetime: relTime(10n * HOUR),
    renewalDuration: relTime(2n * HOUR),
  });
  const [round] = network.active(OpenMiningRound);
  expect(round?.payload).toMatchObject({ amuletPrice: decimal("0.5"), tickDuration: relTime(HOUR) });
  expect(round?.payload.round.number).toBe(7n);
});

test("every founding SV signs with its namespace key and its signing key", () => {
  const svs = [1, 2, 3].map((i) => ({ identity: identityNamed(`sv${i}`) }));
  const { signatures } = signFounding({ svs, movableClock: false, isDevNet: false });
  expect(signatures.map(({ publicKey }) => publicKey)).toEqual(
    svs.flatMap(({ identity }) => [identity.namespaceKey.publicKey, identity.signingKey.publicKey]),
  );
});

test("an SV that has not voted on the price votes for the price of its configuration", async () => {
  const network = await SvNetwork.found();
  const [, second] = network.svs;
  if (second === undefined) throw new Error("there is no second SV");
  const automation = second.newAutomation(undefined, { amuletPrice: decimal("0.01") });
  automation.start();
  await automation.idle();
  await network.settle();
  const votes = network.active(AmuletPriceVote).map(({ payload }) => [payload.sv, payload.amuletPrice]);
  expect(votes).toContainEqual([second.party, decimal("0.01")]);
  await automation.stop();
  await network.moveAndSettle(24n * HOUR);
  expect(network.active(OpenMiningRound).at(-1)?.payload.amuletPrice).toBe(decimal("0.0075"));
});
