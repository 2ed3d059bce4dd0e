/** A small world, made from a seed: SVs, validators, users with wallets, and what they know of each other. */
import type { FoundingTerms } from "../../packages/ledger/src/transition/draft-founding.ts";
import type { Verify } from "../../packages/ledger/src/transition/key.ts";
import type { Outcome } from "../../packages/ledger/src/transition/outcome.ts";
import { decimal } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, HOUR } from "../../packages/ledger/src/values/duration.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { DsoActor } from "../../packages/ledger/testing/dso-actor.ts";
import { verifyUnlessMade } from "../../packages/ledger/testing/member-key.ts";
import type { SimulatedMember } from "../../packages/ledger/testing/simulated-network.ts";
import { WalletActor } from "../../packages/ledger/testing/wallet-actor.ts";
import { Random } from "../support/random.ts";
import { Auditor } from "./audit/auditor.ts";
import { DelayedNetwork } from "./delayed-network.ts";
import { Scraps } from "./scraps.ts";

export interface World {
  readonly random: Random;
  /** The check of signatures; the replay at the end need not work out again what it has seen. */
  readonly verify: Verify;
  readonly network: DelayedNetwork;
  readonly auditor: Auditor;
  readonly scraps: Scraps;
  readonly dso: DsoActor;
  readonly validators: SimulatedMember[];
  readonly wallets: WalletActor[];
}

/** Terms under which names are sold; the first are the defaults. */
const TERMS = [
  { lifetime: 90n * DAY, renewal: 30n * DAY, fee: "1.0", price: "0.005" },
  { lifetime: 12n * HOUR, renewal: 6n * HOUR, fee: "1.0", price: "0.3" },
  { lifetime: 3n * HOUR, renewal: 3n * HOUR, fee: "0.7", price: "1.7" },
  { lifetime: 2n * HOUR, renewal: 5n * HOUR, fee: "12.3456789", price: "0.0123" },
];

export interface WorldOptions {
  /** Is shown what became of every entry, once the auditor has seen it. */
  readonly observe?: (outcome: Outcome) => void;
  readonly terms?: Partial<FoundingTerms>;
}

export function foundWorld(seed: number, options: WorldOptions = {}): World {
  const random = new Random(seed);
  const auditor = new Auditor();
  const scraps = new Scraps();
  const verify = remembering(verifyUnlessMade);
  const terms = random.chance(0.4) ? TERMS[0] : random.pick(TERMS);
  if (terms === undefined) throw new Error("there are no terms");
  const svs = random.pick([1, 4, 4, 7]);
  const network = new DelayedNetwork({
    svs,
    terms: { ...foundingTerms(random, terms), ...options.terms },
    verify,
    observe: (entry, outcome) => {
      auditor.observe(entry, outcome);
      const { verdict } = outcome;
      if (verdict.kind === "accepted" && verdict.transaction !== null) scraps.collect(verdict.transaction);
      options.observe?.(outcome);
    },
  });
  const validators = Array.from({ length: random.between(1, 3) }, (_, i) => {
    return network.registerMember(`validator-${i + 1}`);
  });
  const wallets = Array.from({ length: random.between(3, 6) }, (_, i) => {
    return new WalletActor(network, random.pick(validators), `user-${i + 1}`);
  });
  for (const wallet of wallets) wallet.tap(decimal("1000.0"));
  return { random, verify, network, auditor, scraps, dso: new DsoActor(network), validators, wallets };
}

function foundingTerms(random: Random, terms: (typeof TERMS)[number]): Partial<FoundingTerms> {
  return {
    amuletPrice: decimal(terms.price),
    entryFee: decimal(terms.fee),
    entryLifetimeMicroseconds: terms.lifetime,
    renewalMicroseconds: terms.renewal,
    // Most members never run out of traffic; the ledger has to handle those that do.
    freeTrafficBytes: random.chance(0.15) ? 20_000n : 1_000_000_000n,
  };
}

function remembering(verify: Verify): Verify {
  const known = new Map<string, boolean>();
  return (publicKey, message, signature) => {
    const asked = `${publicKey} ${signature} ${message}`;
    const answer = known.get(asked) ?? verify(publicKey, message, signature);
    known.set(asked, answer);
    return answer;
  };
}

/** Everybody, SVs and validators included. */
export function listParties({ network, validators, wallets }: World): readonly PartyId[] {
  return [
    ...network.svs.map(({ party }) => party),
    ...validators.map(({ party }) => party),
    ...wallets.map(({ party }) => party),
  ];
}

/** The users and the operator of a validator. */
export function listHosted({ wallets }: World, member: SimulatedMember): readonly PartyId[] {
  return [member.party, ...wallets.filter((wallet) => wallet.member === member).map(({ party }) => party)];
}
