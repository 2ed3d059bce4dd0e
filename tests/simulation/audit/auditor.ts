/**
 * The auditor is shown every entry of the log with its outcome, keeps its own account of everything, and checks
 * every invariant after every entry. It shares no rule with the ledger: only the types of what stands in the log.
 */

import { AnsEntryContext } from "../../../packages/ledger/src/contracts/splice-amulet-name-service/declarations/ans.ts";
import { decodeText } from "../../../packages/ledger/src/daml/daml-type.ts";
import { DecodeError } from "../../../packages/ledger/src/daml/decode-error.ts";
import type { Transaction } from "../../../packages/ledger/src/engine/transaction.ts";
import { EntryContent } from "../../../packages/ledger/src/transition/entry-content.ts";
import type { Head, Network } from "../../../packages/ledger/src/transition/ledger-view.ts";
import type { LogEntry } from "../../../packages/ledger/src/transition/log-entry.ts";
import type { Outcome } from "../../../packages/ledger/src/transition/outcome.ts";
import type { ContractId } from "../../../packages/ledger/src/values/contract-id.ts";
import type { MemoryState } from "../../../packages/ledger/testing/memory-state.ts";
import {
  contractsAreSeen,
  contractsAreUsedWhileActive,
  eventsHaveAuthority,
  nodesNameTheirParties,
  type Submitters,
} from "./authority.ts";
import { Book, listExercises } from "./book.ts";
import { Coins, collectionsBurnTheFee, refundsAreExact, unlockedCoinIsTheLockedOne } from "./coins.ts";
import { transfersConserveCoin } from "./conserved-transfers.ts";
import { LogRules } from "./log-rules.ts";
import {
  contextsHaveOneOtherHalf,
  datesAreKept,
  Names,
  namesAreUnique,
  subscriptionsHaveOneState,
} from "./names.ts";
import { Projections } from "./projections.ts";
import { actionsHaveAQuorum, namesAreGivenByTheQuorum } from "./quorum.ts";
import { Rewards } from "./rewards.ts";
import {
  newRoundsHaveTheMedianPrice,
  roundNumbersAreUnique,
  rulesAreUnique,
  threeConsecutiveRoundsAreOpen,
} from "./rounds.ts";
import { hold } from "./violation.ts";

interface Accounts {
  readonly network: Network;
  readonly coins: Coins;
  readonly names: Names;
  readonly rewards: Rewards;
}

export class Auditor {
  readonly book = new Book();
  readonly heads: Head[] = [];
  /** The number of times each choice was exercised and each error code returned in a run. */
  readonly seen = new Map<string, number>();
  /** Locked coins that their owner took out by hand. */
  readonly takenOut = new Set<ContractId>();
  /** References of contexts that their user ended with a tombstone the DSO did not sign. */
  readonly selfTerminated = new Set<ContractId>();
  readonly #log = new LogRules();
  readonly #projections = new Projections();
  #accounts: Accounts | null = null;

  get coins(): Coins {
    return this.#need().coins;
  }

  get network(): Network {
    return this.#need().network;
  }

  get rewards(): Rewards {
    return this.#need().rewards;
  }

  observe(entry: LogEntry, outcome: Outcome): void {
    this.heads.push(outcome.head);
    this.#log.headsFollowEachOther(outcome);
    this.#log.refusalsChangeNothing(outcome);
    this.#log.submissionsCountOnce(outcome);
    this.#count(outcome);
    if (outcome.verdict.kind !== "accepted") return;
    const content = readContent(entry);
    hold("what cannot be read is rejected", content !== null, () => entry.content);
    const network = this.#found(outcome);
    this.#log.acceptedEntriesAreGenuine(entry, content, outcome);
    this.#log.submittersAreHosted(content, network);
    this.#log.follow(content, outcome);
    const { transaction } = outcome.verdict;
    if (transaction === null) return;
    this.book.learn(transaction);
    this.#checkTransaction(transaction, submittersOf(content, network));
    this.#followAmounts(transaction);
    this.book.apply(transaction);
    this.#followTransaction(transaction);
    this.#checkState(outcome.head);
  }

  /** The replica holds exactly the contracts of the book; each party was shown its own. */
  compare(state: MemoryState): void {
    const isSame = [...this.book.active].every(([contractId, { contract }]) => {
      const stored = state.findContract(contractId);
      return stored?.payload === contract.payload && stored.templateId === contract.templateId;
    });
    hold(
      "the replica holds the book's contracts",
      isSame && state.contracts.size === this.book.active.size,
      () => {
        return `${state.contracts.size} there, ${this.book.active.size} in the book`;
      },
    );
    this.#projections.addUpToTheActiveContracts(this.book);
  }

  #checkTransaction(transaction: Transaction, submitters: Submitters): void {
    const { book } = this;
    const { network, rewards } = this.#need();
    const { dso } = network;
    contractsAreUsedWhileActive(transaction, book);
    contractsAreSeen(transaction, submitters, book);
    eventsHaveAuthority(transaction, submitters.actAs, book);
    nodesNameTheirParties(transaction, book);
    this.#projections.showExactlyWhatMayBeSeen(transaction, this.#log.audience, book);
    transfersConserveCoin(transaction, book, (input) => rewards.worthOf(input, book));
    collectionsBurnTheFee(transaction, dso, book);
    unlockedCoinIsTheLockedOne(transaction, book);
    refundsAreExact(transaction, dso, book);
    actionsHaveAQuorum(transaction, dso, book);
    namesAreGivenByTheQuorum(transaction, dso, book);
    newRoundsHaveTheMedianPrice(transaction, dso, book);
    datesAreKept(transaction, dso, book);
  }

  /** While the coupons that a transaction mints are still there. */
  #followAmounts(transaction: Transaction): void {
    const { coins, rewards } = this.#need();
    coins.follow(transaction, this.book, (input) => rewards.worthOf(input, this.book));
    rewards.follow(transaction, this.book);
  }

  #followTransaction(transaction: Transaction): void {
    const { names } = this.#need();
    names.follow(transaction, this.book);
    for (const node of listExercises(transaction, "LockedAmulet_OwnerExpireLockV2"))
      this.takenOut.add(node.contractId);
    for (const { contractId, argument } of listExercises(transaction, "AnsEntryContext_Terminate")) {
      const { terminatedSubscriptionCid } = argument.value as { terminatedSubscriptionCid: ContractId };
      const { reference, dso } = this.book.payload(AnsEntryContext, contractId);
      if (!this.book.get(terminatedSubscriptionCid).signatories.has(dso)) this.selfTerminated.add(reference);
    }
  }

  #checkState({ recordTime: now }: Head): void {
    const { book } = this;
    const { network, coins, names, rewards } = this.#need();
    rewards.amountsAreKept();
    coins.supplyIsMintedLessBurned();
    coins.everybodyHoldsTheirOwn();
    coins.dsoHoldsNothing();
    namesAreUnique(network.dso, now, book);
    names.entriesArePaidFor(book);
    names.dueDatesAreExpiryDates(book);
    names.expiryIndependsOfWhenRenewalsWerePaid(book);
    subscriptionsHaveOneState(network.dso, book);
    contextsHaveOneOtherHalf(network.dso, book);
    threeConsecutiveRoundsAreOpen(network.dso, book);
    roundNumbersAreUnique(network.dso, book);
    rulesAreUnique(network.dso, book);
  }

  #found({ changes }: Outcome): Network {
    const founded = changes.find((change) => change.kind === "network");
    if (this.#accounts === null && founded !== undefined) {
      const { network } = founded;
      const { dso } = network;
      const names = new Names(dso);
      this.#accounts = { network, coins: new Coins(dso), names, rewards: new Rewards(dso) };
    }
    return this.#need().network;
  }

  #need(): Accounts {
    if (this.#accounts === null) throw new Error("the network is not founded yet");
    return this.#accounts;
  }

  #count({ verdict }: Outcome): void {
    const add = (what: string) => this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
    if (verdict.kind === "ignored") add("ignored");
    if (verdict.kind === "rejected") add(`rejected ${verdict.error.code}`);
    if (verdict.kind !== "accepted") return;
    for (const node of verdict.transaction?.nodes ?? []) {
      if (node.kind === "exercise") add(node.choice);
    }
  }
}

/** Only the founding acts as the DSO. */
function submittersOf(content: EntryContent, { dso }: Network): Submitters {
  if (content.tag === "Submit") return content.value;
  return { actAs: content.tag === "FoundNetwork" ? [dso] : [], readAs: [], disclosed: [] };
}

/** A sequencer may let anything through; an entry that cannot be read must have been rejected. */
function readContent({ content }: LogEntry): EntryContent | null {
  try {
    return decodeText(EntryContent, content);
  } catch (error) {
    if (error instanceof DecodeError || error instanceof SyntaxError) return null;
    throw error;
  }
}
