/** A random load of changes of names, and lookups that they change the answers of. */
import { DAY, HOUR } from "../../packages/ledger/src/values/duration.ts";
import { addDuration } from "../../packages/ledger/src/values/time.ts";
import type { WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";
import type { Random } from "../support/random.ts";
import type { NameWorld } from "./name-world.ts";

const NAMES = ["alice", "al", "bob", "carol"].map((label) => `${label}.unverified.cns`);

export const byName = (name: string): string => `/v0/ans-entries/by-name/${name}`;
export const byParty = (party: string): string => `/v0/ans-entries/by-party/${party}`;

/** Does something that changes answers: buys, renews, lets time pass, or stops at the very end of an entry. */
export function changeNames(world: NameWorld, wallets: readonly WalletActor[], random: Random): void {
  const wallet = random.pick(wallets);
  const kind = random.below(4);
  if (kind === 0) world.buy(wallet, { name: random.pick(NAMES) });
  else if (kind === 1) world.renew(wallet);
  else if (kind === 2) world.network.advance(random.pick([HOUR, DAY, 40n * DAY]));
  else {
    const entry = random.find(NAMES.flatMap((name) => world.entries(name)));
    const moment = addDuration(entry?.payload.expiresAt ?? world.network.now, BigInt(random.below(2)));
    if (moment > world.network.now) world.network.advanceTo(moment);
  }
}

/** Lookups of names and of parties, some of them malformed. */
export function lookupTargets(parties: readonly string[]): readonly string[] {
  const odd = ["dso.cns", "sv-1.sv.cns", "nobody", "%61l.unverified.cns", "a%2Fb", "%E9", "%C3%A9", "a/b"];
  const queries = ["", "?", "?name_prefix=al", "?name_prefix=a&page_size=1", "?page_size=0"];
  return [
    ...NAMES.map(byName),
    ...parties.map(byParty),
    ...parties.map((party) => `/api/scan${byParty(encodeURIComponent(party))}`),
    ...[...odd, "a?b=c", "", "a".repeat(3000)].map(byName),
    ...["nobody", "nobody::1220"].map(byParty),
    ...[...queries, "?name_prefix=%E9"].map((query) => `/api/scan/v0/ans-entries${query}`),
  ];
}
