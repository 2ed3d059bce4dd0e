// SVs whose network goes on in a new log: their agenda has what is left to do, and nothing that cannot be done.

import { Agenda } from "@callsign/sv";
import { expect, test } from "vitest";
import { SubscriptionInitialPayment } from "../../packages/ledger/src/index.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { HOUR } from "../../packages/ledger/src/values/duration.ts";
import { sha256 } from "../../packages/node/src/identity/keys.ts";
import { continueLog, NO_HISTORY } from "../support/continued-log.ts";
import { openReplica } from "../support/open-replica.ts";
import { replicateLog } from "../synchronizer/replicate-log.ts";
import { stopAll } from "./network-views.ts";
import { SvNetwork } from "./sv-network.ts";
import { Wallet } from "./wallet.ts";

/** The agenda of an SV that has applied the log in which the network goes on. */
async function continuedAgenda(network: SvNetwork): Promise<Agenda> {
  const keys = network.svs.map(({ identity }) => identity.signingKey);
  const entries = continueLog(network.first.replica.state, NO_HISTORY, keys);
  const { agenda } = await replicateLog(entries, (log) =>
    openReplica({ log }, (state) => ({ agenda: new Agenda(state, sha256) })),
  );
  return agenda;
}

test("a payment that waits is carried over, and one whose coin was taken out is not", async () => {
  const network = await SvNetwork.found();
  const alice = await Wallet.open(network, "alice");
  const bob = await Wallet.open(network, "bob");
  await alice.tap(decimal("200.0"));
  await bob.tap(decimal("200.0"));
  await network.settle();
  await stopAll(network);
  await alice.buy("alice.unverified.cns");
  await network.moveClock(2n * HOUR);
  await alice.takeOut();
  await bob.buy("bob.unverified.cns");
  expect(network.active(SubscriptionInitialPayment)).toHaveLength(2);
  const [his] = network
    .active(SubscriptionInitialPayment)
    .filter(({ payload }) => payload.subscriptionData.sender === bob.party);
  const agenda = await continuedAgenda(network);
  const pending = (each: Agenda) =>
    each.rows.listPending(0n, 10).map(({ contractId, nameKey }) => [contractId, nameKey]);
  expect(pending(agenda).map(([contractId]) => contractId)).toEqual([his?.contractId]);
  expect(pending(agenda)).toEqual(pending(network.first.agenda));
});
