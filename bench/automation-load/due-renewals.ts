/** Names that are all due for renewal at once: the log up to there, and then one payment for each. */

import type { MemberIdentity } from "@callsign/node";
import { SubscriptionIdleState } from "../../packages/ledger/src/contracts/splice-wallet-payments/declarations/subscriptions.ts";
import type { Envelope } from "../../packages/ledger/src/index.ts";
import { formatLogEntry } from "../../packages/ledger/src/transition/log-entry.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { addDuration, type Time, timeFromMicros } from "../../packages/ledger/src/values/time.ts";
import type { SimulatedMember } from "../../packages/ledger/testing/simulated-network.ts";
import { signEntry } from "../../packages/node/src/identity/member-identity.ts";
import { BenchmarkNetwork, type BenchmarkUser, created } from "../ledger-log/registrations.ts";

export interface DueRenewals {
  readonly svs: readonly MemberIdentity[];
  /** Up to the moment in which all names can be renewed. */
  readonly log: readonly string[];
  /** Each stands for itself: they can be sent in any order. */
  readonly payments: (now: Time) => readonly Envelope[];
}

const USERS = 100;
/** Longer than everything that happens here: no round ends in between. */
const TICK = 100n * DAY;
/** One dollar at half a cent a coin. */
const FEE = decimal("200.0");

export function makeDueRenewals(names: number): DueRenewals {
  const startsAt = timeFromMicros(BigInt(Date.now()) * 1000n);
  const bench = new BenchmarkNetwork({ startsAt, terms: { tickMicroseconds: TICK }, verify: () => true });
  const { network, validator } = bench;
  const users = Array.from({ length: USERS }, (_, i) => bench.addUser(`user-${i}`));
  const due: { readonly user: BenchmarkUser; readonly idle: ContractId }[] = [];
  for (let i = 0; i < names; i++) {
    const user = users[i % USERS] as BenchmarkUser;
    user.coin = bench.tap(user.party, FEE);
    const registered = bench.register(user, `name-${i}.unverified.cns`);
    const coin = bench.tap(user.party, FEE);
    due.push({ user: { ...user, coin }, idle: created(registered, SubscriptionIdleState.id) });
  }
  network.moveClock(61n * DAY);
  return {
    svs: network.svs.map(identityOfSv),
    log: network.log.map(formatLogEntry),
    payments: (now) =>
      due.map(({ user, idle }) => {
        const submission = bench.pay(user, { tag: "CO_SubscriptionMakePayment", value: idle });
        const maxRecordTime = addDuration(now, 60n * MINUTE);
        return signEntry(network.submitContent(validator, { ...submission, maxRecordTime }), [
          validator.signingKey,
        ]);
      }),
  };
}

function identityOfSv({ id, namespaceKey, signingKey }: SimulatedMember): MemberIdentity {
  const [nodeIdentifier = "", namespace = ""] = id.split("::");
  return { nodeIdentifier, id, namespace, namespaceKey, signingKey };
}
