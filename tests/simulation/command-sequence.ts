/**
 * Random commands against the engine alone, where any submitter may act as any party, the DSO included. What the engine
 * accepts is checked by the same rules as the simulation's entries.
 */

import fc from "fast-check";
import { networkCatalogue } from "../../packages/ledger/src/contracts/network-catalogue.ts";
import { parseBlob } from "../../packages/ledger/src/engine/contract.ts";
import type { InterpretationOutcome } from "../../packages/ledger/src/engine/interpret.ts";
import { formatTransaction } from "../../packages/ledger/src/engine/transaction-text.ts";
import type { ContractId } from "../../packages/ledger/src/values/contract-id.ts";
import { decimal, decimalFromUnits } from "../../packages/ledger/src/values/decimal.ts";
import { DAY, MINUTE } from "../../packages/ledger/src/values/duration.ts";
import { expectParsed } from "../../packages/ledger/src/values/parsed.ts";
import type { PartyId } from "../../packages/ledger/src/values/party-id.ts";
import { NameNetwork } from "../../packages/ledger/testing/name-fixture.ts";
import { testParty } from "../../packages/ledger/testing/sandbox.ts";
import { sha256 } from "../../packages/ledger/testing/sha256.ts";
import { alice, bob, validator } from "../../packages/ledger/testing/subscription-fixture.ts";
import { Random } from "../support/random.ts";
import {
  contractsAreSeen,
  contractsAreUsedWhileActive,
  eventsHaveAuthority,
  nodesNameTheirParties,
} from "./audit/authority.ts";
import { Book } from "./audit/book.ts";
import { Coins, unlockedCoinIsTheLockedOne } from "./audit/coins.ts";
import { transfersConserveCoin } from "./audit/conserved-transfers.ts";
import { Projections } from "./audit/projections.ts";
import { hold } from "./audit/violation.ts";
import { dso, PLANS, type Plan, type SequenceStep } from "./command-plans.ts";
import { Scraps } from "./scraps.ts";

const PARTIES: readonly PartyId[] = [dso, alice, bob, validator, testParty("carol")];

export const STEP_KINDS: readonly string[] = [...Object.keys(PLANS), "garbage"];

const partySets = fc.subarray([...PARTIES], { minLength: 1 });

/** Mostly by entitled parties with the contracts they need; the rest by any party. Garbage is one kind among the others. */
export const sequences: fc.Arbitrary<readonly SequenceStep[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...Object.keys(PLANS), "garbage", "garbage", "garbage"),
    user: fc.constantFrom(alice, bob),
    other: fc.constantFrom(alice, bob),
    actAs: fc.option(partySets, { freq: 1, nil: null }),
    readAs: fc.subarray([...PARTIES]),
    isDisclosed: fc.integer({ min: 0, max: 5 }).map((die) => die > 0),
    amount: fc.bigInt({ min: 1n, max: 10n ** 13n }).map(decimalFromUnits),
    pick: fc.nat({ max: 1000 }),
    micros: fc.oneof(
      fc.constantFrom(0n, 1n, 10n * MINUTE, 60n * DAY, 90n * DAY),
      fc.bigInt({ min: 0n, max: 40n * MINUTE }),
    ),
  }),
  { minLength: 8, maxLength: 50 },
);

/** Both users have coin, alice has a name, bob has asked for one. */
const PRELUDE: readonly SequenceStep[] = (
  [
    ["tap", alice],
    ["tap", bob],
    ["request", alice],
    ["accept", alice],
    ["decide", dso],
    ["request", bob],
  ] as const
).map(([kind, user]) => ({
  kind,
  user,
  other: user,
  actAs: null,
  readAs: [],
  isDisclosed: true,
  amount: decimal("1000.0000000001"),
  pick: 0,
  micros: 1n,
}));

/** Runs a sequence and checks every transaction; answers its outcomes as text, byte by byte. */
export function runSequence(steps: readonly SequenceStep[]): readonly StepResult[] {
  const network = new NameNetwork({ dso });
  const { sandbox } = network;
  const book = adopt(network);
  const audit = { book, coins: new Coins(dso), projections: new Projections(), scraps: new Scraps() };
  return [...PRELUDE, ...steps].map((step) => {
    sandbox.advance(step.micros);
    const planned = planStep(network, step, audit.scraps);
    const { kind } = step;
    if (planned === null) return { kind, isAccepted: false, text: "nothing to do" };
    const actAs = actorsOf(step, planned);
    const disclose = step.isDisclosed ? [...network.disclosures(), network.ansRules] : [];
    const submitters = { actAs, readAs: step.actAs === null ? planned.rightful : step.readAs, disclose };
    const outcome = sandbox.submit(planned.commands, submitters);
    check(outcome, { network, actAs, readAs: submitters.readAs, disclose }, audit);
    return outcome.kind === "failure"
      ? { kind, isAccepted: false, text: JSON.stringify(outcome.error) }
      : { kind, isAccepted: true, text: formatTransaction(outcome.transaction) };
  });
}

/** Nobody earns any here. */
const noRewards = () => null;

interface StepResult {
  readonly kind: string;
  readonly isAccepted: boolean;
  readonly text: string;
}

interface Audit {
  readonly book: Book;
  readonly coins: Coins;
  readonly projections: Projections;
  readonly scraps: Scraps;
}

function check(
  outcome: InterpretationOutcome,
  given: {
    readonly network: NameNetwork;
    readonly actAs: readonly PartyId[];
    readonly readAs: readonly PartyId[];
    readonly disclose: readonly ContractId[];
  },
  { book, coins, projections, scraps }: Audit,
): void {
  if (outcome.kind === "failure") {
    hold("no defect of ours", outcome.defect === null, () => String(outcome.defect?.stack));
    return;
  }
  const { sandbox } = given.network;
  const { transaction } = outcome;
  const disclosed = given.disclose.map((contractId) => {
    return { contractId, blobHash: sha256(sandbox.blobOf(contractId)) };
  });
  book.learn(transaction);
  contractsAreUsedWhileActive(transaction, book);
  contractsAreSeen(transaction, { ...given, disclosed }, book);
  eventsHaveAuthority(transaction, given.actAs, book);
  nodesNameTheirParties(transaction, book);
  projections.showExactlyWhatMayBeSeen(
    transaction,
    [...PARTIES.map((party) => [party]), PARTIES, [alice, bob]],
    book,
  );
  transfersConserveCoin(transaction, book, noRewards);
  unlockedCoinIsTheLockedOne(transaction, book);
  book.apply(transaction);
  scraps.collect(transaction);
  coins.follow(transaction, book, noRewards);
  coins.supplyIsMintedLessBurned();
  coins.everybodyHoldsTheirOwn();
  for (const contractId of book.active.keys()) {
    hold("what is active stays active", sandbox.isActive(contractId), () => contractId);
  }
}

/** With the DSO and an owner acting, a create makes coin out of nothing: garbage is not for the DSO. */
function actorsOf({ kind, actAs }: SequenceStep, { rightful }: Plan): readonly PartyId[] {
  if (actAs === null) return rightful;
  const others = actAs.filter((party) => kind !== "garbage" || party !== dso);
  return others.length > 0 ? others : rightful;
}

function planStep(network: NameNetwork, step: SequenceStep, scraps: Scraps): Plan | null {
  const planner = PLANS[step.kind];
  if (planner !== undefined) return planner(network, step);
  if (!scraps.hasSome) return null;
  const random = new Random(step.pick);
  const make = random.pick([
    () => scraps.garbledExercise(random, PARTIES),
    () => scraps.garbledExercise(random, PARTIES),
    () => scraps.garbledCreate(random, PARTIES),
    () => scraps.forgedCreate(random, [step.user], network.dso),
  ]);
  return { commands: Array.from({ length: random.between(1, 2) }, make), rightful: PARTIES.slice(1) };
}

/** The contracts the network was founded with. */
function adopt({ sandbox }: NameNetwork): Book {
  const book = new Book();
  const templates = networkCatalogue.packages.flatMap((loaded) => loaded.templates);
  for (const { declaration } of templates) {
    for (const { contractId, payload } of sandbox.active(declaration)) {
      book.adopt(expectParsed(parseBlob(sha256, sandbox.blobOf(contractId))), payload);
    }
  }
  return book;
}
