/**
 * A validator: its users' names and wallets, and what several scans agree on. It listens at once, and answers for
 * wallets when its party, its users and their wallets are there; whatever of the network is missing is waited for.
 */

import { join } from "node:path";
import { validatorApi, type WireAutomationStatus } from "@callsign/api";
import { MIN_TIME, type PartyId, type Time, WalletAppInstall } from "@callsign/ledger";
import {
  createTokenVerifier,
  type HttpServer,
  health,
  KeyedQueue,
  type Log,
  mountApi,
  SqliteStore,
  startHttpServer,
  type TokenVerifierConfig,
} from "@callsign/node";
import type { AutomationName } from "./automation/automation.ts";
import type { Automations } from "./automation/automations.ts";
import { LateWallets } from "./automation/late-wallets.ts";
import { checkTopUp, type TopUpConfig } from "./automation/top-up-terms.ts";
import { checkPaused, makeAutomations } from "./automation/validator-automations.ts";
import { describeError } from "./errors/describe-error.ts";
import { LedgerFollower } from "./follower/ledger-follower.ts";
import { LedgerClock } from "./ledger/ledger-clock.ts";
import { ParticipantClient } from "./ledger/participant-client.ts";
import { installWallet, listInstalledParties } from "./onboarding/install-wallets.ts";
import { checkOnboarding, type OnboardingConfig, obtainLicense } from "./onboarding/obtain-license.ts";
import { checkOperatorHint, findOrAllocateOperator } from "./onboarding/operator-party.ts";
import { bindWalletUser, givePrimaryParty, grantActAs, type WalletUser } from "./onboarding/wallet-users.ts";
import { callerRules } from "./routes/caller.ts";
import { operatorHandlers, proxyHandlers, type Running, walletHandlers } from "./routes/handlers.ts";
import { NetworkFacts } from "./scans/network-facts.ts";
import { ScanGroup } from "./scans/scan-group.ts";
import { AutomationReads } from "./store/automation-reads.ts";
import { WALLET_SCHEMA } from "./store/wallet-schema.ts";
import { WalletStore } from "./store/wallet-store.ts";
import { pause } from "./waiting/pause.ts";
import { Treasury } from "./wallet/treasury.ts";
import { WalletDirectory } from "./wallet/wallet-directory.ts";
import { WalletLedger } from "./wallet/wallet-ledger.ts";

export interface ValidatorConfig {
  readonly dataFolder: string;
  readonly host: string;
  readonly port: number;
  readonly participantUrl: string;
  /** Base urls, with `/api/scan`. */
  readonly scans: readonly string[];
  /** `none`: no token is needed. */
  readonly auth: TokenVerifierConfig | { readonly kind: "none" };
  /** The participant's user that the validator itself is. */
  readonly serviceUser: { readonly userId: string; readonly token: () => string };
  readonly walletUsers: readonly string[];
  readonly operatorPartyHint: string;
  /** How it becomes a validator; without it, it waits until somebody has made it one. */
  readonly onboarding?: OnboardingConfig;
  /** Whom other operators can ask about this validator: goes into its license. */
  readonly contactPoint?: string;
  /** What it does not do by itself. */
  readonly pausedAutomations?: readonly AutomationName[];
  /** How much traffic it buys for its participant; none unless given. */
  readonly topup?: TopUpConfig;
  readonly log: Log;
}

export interface Validator {
  readonly url: string;
  /** Null until it is known. */
  readonly operatorParty: () => string | null;
  readonly isReady: () => boolean;
  /** What each automation does; empty until it is ready. */
  readonly automations: () => readonly WireAutomationStatus[];
  /** When it has seen the ledger's end and nothing is due or on its way. */
  readonly idle: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 3000;
const MAX_IDLE_ROUNDS = 100;
const CATCH_UP_MILLISECONDS = 30_000;
const CLOSE_MILLISECONDS = 2000;

/** Resolves when it listens; being ready takes a moment longer. */
export async function startValidator(config: ValidatorConfig): Promise<Validator> {
  const node = new ValidatorNode(config);
  await node.start();
  return node;
}

class ValidatorNode implements Validator {
  readonly #config: ValidatorConfig;
  readonly #clock = new LedgerClock();
  readonly #treasury = new Treasury();
  readonly #closing = new AbortController();
  readonly #scans: ScanGroup;
  readonly #facts: NetworkFacts;
  readonly #participant: ParticipantClient;
  readonly #database: SqliteStore;
  readonly #store: WalletStore;
  readonly #follower: LedgerFollower;
  #server: HttpServer | undefined;
  #running: Running | undefined;
  #automations: Automations | undefined;
  #lateWallets: LateWallets | undefined;
  #starting: Promise<void> | undefined;
  #missing = "it has not started yet";

  constructor(config: ValidatorConfig) {
    const { scans, participantUrl, serviceUser, dataFolder, log } = config;
    this.#config = config;
    checkPaused(config.pausedAutomations ?? []);
    checkTopUp(config.topup);
    checkOnboarding(config.onboarding);
    this.#scans = new ScanGroup({ urls: scans, log, waitFor: () => this.#seenTime() });
    this.#facts = new NetworkFacts(this.#scans, this.#clock);
    this.#participant = new ParticipantClient({ url: participantUrl, ...serviceUser });
    this.#database = new SqliteStore(join(dataFolder, "validator.sqlite"), WALLET_SCHEMA);
    this.#store = new WalletStore(this.#database);
    this.#follower = new LedgerFollower({
      participant: this.#participant,
      store: this.#store,
      clock: this.#clock,
      log,
      onAdvance: (advance) => {
        this.#automations?.advanced(advance);
        if (advance.touched.has(WalletAppInstall.entity)) this.#lateWallets?.look();
      },
    });
  }

  get url(): string {
    return this.#server?.url ?? "";
  }

  readonly operatorParty = (): string | null => this.#running?.operatorParty ?? null;

  readonly isReady = (): boolean => this.#missingPart() === null;

  readonly automations = (): readonly WireAutomationStatus[] => this.#automations?.status() ?? [];

  async start(): Promise<void> {
    const { host, port, log, auth, walletUsers } = this.#config;
    const authentication =
      auth.kind === "none"
        ? { defaultUser: walletUsers[0] ?? "" }
        : { verify: createTokenVerifier(auth, { log }) };
    const participant = this.#participant;
    const mount = mountApi(validatorApi, {
      ...callerRules(() => {
        const directory = this.#running?.directory;
        const findWallet = directory === undefined ? undefined : (user: string) => directory.findByUser(user);
        const isWhole = !this.#follower.isRebuilding;
        const operatorParty = this.#running?.operatorParty ?? null;
        return { authentication, participant, findWallet, operatorParty, isWhole, log };
      }),
      handlers: {
        ...health({
          id: "validator",
          missing: () => this.#missingPart(),
          port: () => this.#server?.port ?? 0,
        }),
        ...operatorHandlers(() => this.#running),
        ...proxyHandlers(this.#scans),
        ...walletHandlers(() => this.#getRunning()),
      },
    });
    try {
      this.#server = await startHttpServer({ host, port, mounts: [mount], log });
    } catch (error) {
      await this.#database.close();
      throw error;
    }
    this.#starting = this.#startUntilDone();
  }

  readonly idle = async (): Promise<void> => {
    await this.#starting;
    for (let round = 0; round < MAX_IDLE_ROUNDS && !this.#closing.signal.aborted; round++) {
      await this.#follower.catchUp(CATCH_UP_MILLISECONDS);
      await this.#lateWallets?.idle(CATCH_UP_MILLISECONDS);
      await this.#facts.observeTime();
      const made = (await this.#automations?.look()) ?? 0;
      await this.#treasury.idle();
      const isAtEnd = (await this.#participant.ledgerEnd()) <= this.#follower.offset;
      if (made === 0 && !this.#treasury.isBusy && isAtEnd) return;
    }
  };

  readonly close = async (): Promise<void> => {
    this.#closing.abort();
    const closed = this.#server?.close();
    // Calls under way may end by themselves; one that waits for somebody who does not answer is not waited for.
    const waiting = new AbortController();
    await Promise.race([closed, pause(CLOSE_MILLISECONDS, waiting.signal)]);
    waiting.abort();
    this.#scans.close();
    this.#participant.close();
    await closed;
    await this.#starting;
    await this.#follower.close();
    await this.#lateWallets?.close();
    await this.#automations?.close();
    await this.#treasury.idle();
    await this.#database.close();
  };

  /** What wallets have seen, lookups are to have seen as well. */
  #seenTime(): Time | null {
    return this.#clock.now === MIN_TIME ? null : this.#clock.now;
  }

  #missingPart(): string | null {
    if (this.#running === undefined) return this.#missing;
    return this.#follower.missing;
  }

  #getRunning(): Running {
    if (this.#running === undefined) throw new Error("an operation was called before the start was over");
    return this.#running;
  }

  async #startUntilDone(): Promise<void> {
    const { signal } = this.#closing;
    let wait = FIRST_PAUSE;
    while (!signal.aborted) {
      try {
        return await this.#initialise();
      } catch (error) {
        if (signal.aborted) return;
        this.#missing = describeError(error);
        this.#config.log.warn({ error: this.#missing }, "the validator cannot start yet; trying again");
      }
      await pause(wait, signal);
      wait = Math.min(2 * wait, LONGEST_PAUSE);
    }
  }

  /** Every step finds what an earlier start has done. */
  async #initialise(): Promise<void> {
    const { walletUsers, operatorPartyHint, serviceUser, topup, contactPoint = "", log } = this.#config;
    const participant = this.#participant;
    const [dso] = await Promise.all([this.#facts.dso(), this.#facts.coinContext(), this.#facts.acronym()]);
    checkOperatorHint(await this.#store.findOperator(), operatorPartyHint);
    const operatorParty = await findOrAllocateOperator(participant, operatorPartyHint);
    await this.#store.keepOperator(operatorParty);
    await grantActAs(participant, serviceUser.userId, operatorParty);
    await givePrimaryParty(participant, serviceUser.userId, operatorParty);
    const users: WalletUser[] = [];
    for (const user of walletUsers) users.push(await bindWalletUser(participant, user, operatorParty));
    const installed = await listInstalledParties(participant, operatorParty);
    for (const party of installed) await grantActAs(participant, serviceUser.userId, party);
    await this.#follow([operatorParty, ...users.map(({ party }) => party), ...installed], dso);
    // What is not seen would be made a second time.
    if (!(await this.#follower.catchUp(CATCH_UP_MILLISECONDS)))
      throw new Error("the participant's ledger has not been read up to its end yet");
    const directory = new WalletDirectory(this.#store, operatorParty);
    const parts = { participant, follower: this.#follower, directory, operatorParty, dso };
    for (const user of users) await installWallet(parts, user);
    await this.#obtainLicense(operatorParty, dso);
    const [store, facts, clock, treasury, scans] = [
      this.#store,
      this.#facts,
      this.#clock,
      this.#treasury,
      this.#scans,
    ];
    const ledger = new WalletLedger({ ...parts, store, facts, clock, treasury });
    const reads = new AutomationReads(this.#database);
    this.#automations = makeAutomations(
      { ...parts, store, reads, ledger, clock, facts, log },
      { paused: this.#config.pausedAutomations ?? [], topup: checkTopUp(topup), contactPoint },
    );
    this.#running = {
      store,
      ledger,
      clock,
      facts,
      treasury,
      scans,
      turns: new KeyedQueue(),
      participant,
      directory,
      operatorParty,
      automations: this.#automations,
    };
    this.#automations.start();
    this.#lateWallets = new LateWallets({
      log,
      listMissing: async () => {
        const known = new Set(this.#follower.parties);
        return (await reads.listWalletParties(operatorParty)).filter((party) => !known.has(party));
      },
      take: async (party) => {
        await grantActAs(participant, serviceUser.userId, party);
        await this.#follower.follow(party);
      },
    });
    this.#lateWallets.look();
    log.info({ operatorParty, url: this.url }, "the validator is ready");
  }

  #obtainLicense(operatorParty: PartyId, dso: PartyId): Promise<void> {
    const { onboarding, contactPoint, log } = this.#config;
    return obtainLicense({
      ...{ participant: this.#participant, operatorParty, dso, onboarding, contactPoint, log },
      signal: this.#closing.signal,
      onWaiting: (reason) => {
        this.#missing = reason;
      },
    });
  }

  #following = false;

  /** Once: a start that failed further on has it running already. */
  async #follow(parties: readonly string[], dso: string): Promise<void> {
    if (this.#following) return;
    await this.#follower.start(parties, dso);
    this.#following = true;
  }
}
