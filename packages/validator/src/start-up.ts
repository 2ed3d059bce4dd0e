/**
 * The start of a validator: from its connections to a running validator. A step that fails is retried; every step finds
 * the results of an earlier start.
 */
import type { PartyId } from "@callsign/ledger";
import { Backoff, KeyedQueue, retry } from "@callsign/node";
import { type AutomationSettings, makeAutomations } from "./automation/make-automations.ts";
import type { Connections } from "./connections.ts";
import { describeError } from "./errors/describe-error.ts";
import { LedgerFollower } from "./follower/ledger-follower.ts";
import { WalletHistory } from "./history/wallet-history.ts";
import { findLocalParty } from "./ledger/local-party.ts";
import { readParty } from "./ledger/read-party.ts";
import { canActAs, canReadAs, grantRight, listGranted } from "./ledger/user-rights.ts";
import { CATCH_UP_MILLISECONDS, START_BACKOFF } from "./limits/limits.ts";
import { checkNodeIdentifier } from "./onboarding/check-participant.ts";
import { installWallet, listInstalledParties } from "./onboarding/install-wallets.ts";
import { warnOfMissingWallets } from "./onboarding/missing-wallets.ts";
import { obtainLicense } from "./onboarding/obtain-license.ts";
import { findOrAllocateOperator } from "./onboarding/operator-party.ts";
import { requireParticipantMigration } from "./onboarding/participant-migration.ts";
import { applyPruningSchedule } from "./onboarding/pruning-schedule.ts";
import { bindWalletUser, givePrimaryParty, type WalletUser } from "./onboarding/wallet-users.ts";
import type { Running } from "./routes/running.ts";
import { explainingScans } from "./scans/explain-scans.ts";
import { requireMigration } from "./scans/network-migration.ts";
import type { OnboardingConfig } from "./settings/onboarding-settings.ts";
import { AutomationReads } from "./store/automation-reads.ts";
import { FirstAnswers } from "./store/first-answers.ts";
import type { ValidatorConfig } from "./validator-config.ts";
import { Balances } from "./wallet/balance.ts";
import { OnceOnly } from "./wallet/once-only.ts";
import { WalletDirectory } from "./wallet/wallet-directory.ts";
import { WalletLedger } from "./wallet/wallet-ledger.ts";

export interface StartUpSettings
  extends AutomationSettings,
    Pick<ValidatorConfig, "walletUsers" | "operatorPartyHint" | "nodeIdentifier" | "svValidator"> {
  readonly onboarding: OnboardingConfig | undefined;
  readonly pruningSchedule: ValidatorConfig["pruningSchedule"];
  readonly deduplicationSeconds: number;
  readonly migrationId: number;
}

type Phase =
  | { readonly kind: "starting"; readonly missing: string }
  | { readonly kind: "running"; readonly running: Running };

/** The parties of this validator, as its participant has them. */
interface HostedParties {
  readonly operatorParty: PartyId;
  readonly dso: PartyId;
  readonly users: readonly WalletUser[];
  /** Parties whose wallets an earlier start installed. */
  readonly installed: readonly PartyId[];
}

export class StartUp {
  readonly #connections: Connections;
  readonly #settings: StartUpSettings;
  readonly #closing = new AbortController();
  /** Ends the parts that this start has opened, in the order in which they were opened. */
  readonly #closers: (() => Promise<void>)[] = [];
  #done: Promise<void> = Promise.resolve();
  #phase: Phase = { kind: "starting", missing: "it has not started yet" };

  constructor(connections: Connections, settings: StartUpSettings) {
    this.#connections = connections;
    this.#settings = settings;
  }

  begin(): void {
    this.#done = this.#run().catch((error: unknown) => {
      if (!this.isAborted) throw error;
    });
  }

  /** Resolves when the validator runs, or when the start was aborted. */
  get done(): Promise<void> {
    return this.#done;
  }

  get isAborted(): boolean {
    return this.#closing.signal.aborted;
  }

  /** The part that keeps the validator from being ready; null if none is missing. */
  get missing(): string | null {
    if (this.#phase.kind === "starting") return this.#phase.missing;
    return this.#phase.running.follower.missing ?? this.#connections.scans.missing();
  }

  get running(): Running | null {
    return this.#phase.kind === "running" ? this.#phase.running : null;
  }

  /** Stops the start; `close` ends its parts. */
  abort(): void {
    this.#closing.abort();
  }

  async close(): Promise<void> {
    await this.#done;
    for (const close of this.#closers) await close();
  }

  async #run(): Promise<void> {
    const parties = await this.#retry(() => this.#prepareParties());
    const follower = await this.#retry(() => this.#follow(parties));
    const history = await this.#retry(() => this.#keepHistory(parties, follower));
    const running = await this.#retry(() => this.#becomeReady(parties, { follower, history }));
    this.#phase = { kind: "running", running };
    this.#connections.log.info({ operatorParty: parties.operatorParty }, "the validator is ready");
  }

  #retry<T>(step: () => Promise<T>): Promise<T> {
    return retry(step, {
      backoff: new Backoff(START_BACKOFF),
      timers: this.#connections.host.timers,
      signal: this.#closing.signal,
      onFailure: (error) => {
        const missing = describeError(error);
        this.#phase = { kind: "starting", missing };
        this.#connections.log.warn({ error: missing }, "the start of the validator failed; it is retried");
      },
    });
  }

  async #prepareParties(): Promise<HostedParties> {
    const { participant, participantAdmin, store, facts, scans, directory, sequencers } = this.#connections;
    await directory?.discover();
    const {
      walletUsers,
      operatorPartyHint,
      nodeIdentifier,
      svValidator = false,
      migrationId,
    } = this.#settings;
    const [dso] = await explainingScans(scans.urls, this.#connections.host, () =>
      Promise.all([facts.dso(), facts.coinContext(), facts.acronym(), requireMigration(scans, migrationId)]),
    );
    const known = await store.findMigration();
    const isCarriedOver = known !== undefined && known !== migrationId;
    await requireParticipantMigration(participantAdmin, { migrationId, isCarriedOver });
    await sequencers?.establish();
    await store.keepMigration(migrationId);
    await checkNodeIdentifier(this.#connections, nodeIdentifier);
    const operator = { hint: operatorPartyHint, isFreeForm: svValidator };
    const operatorParty = await findOrAllocateOperator(participant, operator);
    await store.keepOperator(operatorParty);
    await applyPruningSchedule(this.#connections, this.#settings.pruningSchedule);
    await grantRight(participant, participant.userId, canActAs(operatorParty));
    await givePrimaryParty(participant, participant.userId, operatorParty);
    const users: WalletUser[] = [];
    for (const user of walletUsers) users.push(await bindWalletUser(participant, user, operatorParty));
    const installed = await listInstalledParties(participant, operatorParty);
    const { actAs, readAs } = await listGranted(participant, participant.userId);
    for (const party of installed)
      if (!actAs.has(party)) await grantRight(participant, participant.userId, canActAs(party));
    // Parties without a wallet that are followed: a restored participant has lost the rights of its users.
    const others = new Set(await store.followed()).difference(new Set([operatorParty, ...installed]));
    for (const party of [...others].map(readParty)) {
      const isReadable = actAs.has(party) || readAs.has(party);
      if (!isReadable && (await findLocalParty(participant, party)) !== undefined)
        await grantRight(participant, participant.userId, canReadAs(party));
    }
    return { operatorParty, dso, users, installed };
  }

  async #follow({ operatorParty, dso, users, installed }: HostedParties): Promise<LedgerFollower> {
    const parties = [operatorParty, ...users.map(({ party }) => party), ...installed];
    const follower = await LedgerFollower.open(this.#connections, parties, dso);
    this.#closers.push(() => follower.close());
    return follower;
  }

  /** It ends before the follower, for whose steps it waits. */
  async #keepHistory({ dso }: HostedParties, follower: LedgerFollower): Promise<WalletHistory> {
    const acronym = await this.#connections.facts.acronym();
    const history = await WalletHistory.open({ ...this.#connections, follower, dso, acronym });
    this.#closers.unshift(() => history.close());
    return history;
  }

  async #becomeReady(
    parties: HostedParties,
    { follower, history }: { readonly follower: LedgerFollower; readonly history: WalletHistory },
  ): Promise<Running> {
    const { operatorParty, dso, users } = parties;
    // Contracts that the copy lacks would be created a second time.
    if (!(await follower.catchUp(CATCH_UP_MILLISECONDS)))
      throw new Error("the participant's ledger has not been read up to its end yet");
    const { store, database, host } = this.#connections;
    const directory = new WalletDirectory(store, operatorParty);
    const hosted = { ...this.#connections, follower, history, directory, operatorParty, dso };
    // The allowance of a participant without a licence has no room for many wallets.
    await obtainLicense({
      ...this.#connections,
      ...{ operatorParty, dso, signal: this.#closing.signal },
      onboarding: this.#settings.onboarding,
      contactPoint: this.#settings.contactPoint,
      onWaiting: (missing) => {
        this.#phase = { kind: "starting", missing };
      },
    });
    for (const user of users) await installWallet(hosted, user);
    const ledger = new WalletLedger(hosted);
    const reads = new AutomationReads(database);
    const { walletUsers, deduplicationSeconds, migrationId } = this.#settings;
    const answers = new FirstAnswers(database, host.timers);
    const once = new OnceOnly({ ...hosted, answers, deduplicationSeconds });
    await warnOfMissingWallets(hosted, this.#settings);
    const automations = makeAutomations({ ...hosted, reads, ledger, once }, this.#settings);
    follower.subscribe((advance) => automations.advance(advance));
    this.#closers.push(() => automations.close());
    automations.start();
    const ownUsers = new Set([...walletUsers, this.#connections.participant.userId]);
    const queues = {
      entryQueue: new KeyedQueue(),
      userQueue: new KeyedQueue(),
      preapprovalQueue: new KeyedQueue(),
    };
    const balances = new Balances(this.#connections);
    return { ...hosted, ...queues, ledger, automations, once, migrationId, ownUsers, balances };
  }
}
