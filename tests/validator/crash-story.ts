/**
 * The story of a validator that crashes at each point once: its start, every operation that changes anything, and
 * everything that its automations do by themselves. Each part is told again until the validator gets through it without a
 * crash, and every telling must leave the same on the ledger.
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Endpoint, validatorApi } from "@callsign/api";
import type { ValidatorConfig } from "@callsign/validator";
import { expect } from "vitest";
import type { Side } from "../support/crashing-host.ts";
import { compareWithBalance, historyOf } from "../support/history.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { CrashScene } from "./crash-scene.ts";
import type { Step } from "./crash-steps.ts";
import { CrashingValidator } from "./crashing-validator.ts";
import { type Counts, differenceOf, LedgerWorld } from "./ledger-world.ts";

/** These automations are paused: rewards come and go with rounds, and would blur the changes of a step. */
const REWARDS = ["record-liveness", "collect-rewards"] as const;
const WALLETS = ["olga", "bob", "carol"];

/** The changes of a first start. */
export const FIRST_START: Counts = {
  "contract ValidatorLicense": 1n,
  "contract ValidatorRight": 1n,
  "contract WalletAppInstall": 1n,
  parties: 1n,
  users: 1n,
};

/** The changes of a first start with top-ups and rewards. */
export const FIRST_EARNING: Counts = {
  "choice AmuletRules_BuyMemberTraffic": 1n,
  "choice ValidatorLicense_RecordValidatorLivenessActivity": 2n,
  "contract ValidatorTopUpState": 1n,
};

export class CrashStory {
  readonly validator: CrashingValidator;
  readonly scene: CrashScene;
  readonly #network: LocalNetwork;
  readonly #world: LedgerWorld;

  private constructor(network: LocalNetwork, validator: CrashingValidator) {
    this.validator = validator;
    this.#network = network;
    this.#world = new LedgerWorld(validator.participant, network.net.serviceToken);
    this.scene = new CrashScene(network, validator, this.#world);
  }

  static async open(sides: readonly Side[]): Promise<CrashStory> {
    const network = await LocalNetwork.start();
    const config = { pausedAutomations: [...REWARDS] };
    const validator = await CrashingValidator.open(network, { sides, config });
    return new CrashStory(network, validator);
  }

  async close(): Promise<void> {
    this.#world.close();
    await this.validator.close();
    await this.#network.close();
  }

  /** Starts a new validator, then registers its users. Answers the changes of the start. */
  async begin(): Promise<Counts> {
    const started = await this.#observe(() => this.validator.run(async () => undefined));
    for (const user of ["bob", "carol"]) await (await this.scene.as(user)).register();
    for (const user of ["olga", "bob"]) await (await this.scene.as(user)).tap({ body: { amount: "500" } });
    await this.validator.quiet();
    await this.scene.openFund();
    return started;
  }

  /** The changes of each telling; the last one is without a crash. A repeated call may be refused with that status. */
  async tell(step: Step, doneStatus?: number): Promise<readonly Counts[]> {
    const changes: Counts[] = [];
    for (let crashes = -1; crashes !== this.validator.crashedAt.size; ) {
      crashes = this.validator.crashedAt.size;
      const call = await step(this.scene);
      await this.validator.idle();
      changes.push(await this.#observe(() => this.validator.run(call, doneStatus)));
    }
    return changes;
  }

  /** Crashes the validator, and starts it with other settings. */
  async restartWith(change: Partial<ValidatorConfig>): Promise<Counts> {
    return await this.#observe(async () => {
      await this.validator.restartWith(change);
      await this.validator.run(async () => undefined);
    });
  }

  /** Crashes the validator, and starts it with top-ups and every automation. */
  startEarning(): Promise<Counts> {
    const topup = { targetThroughput: 20_000, minTopupIntervalSeconds: 60 };
    return this.restartWith({ pausedAutomations: [], topup });
  }

  async #observe(work: () => Promise<void>): Promise<Counts> {
    const from = await this.#world.ledger.ledgerEnd();
    const earlier = await this.#world.read(from);
    this.validator.isArmed = true;
    try {
      await work();
    } finally {
      this.validator.isArmed = false;
    }
    return differenceOf(await this.#world.read(from), earlier);
  }

  /** Histories add up to balances, and a validator without data reads the same from its participant. */
  async expectWalletsKept(): Promise<void> {
    const kept = await this.#readWallets();
    for (const { sum, balance } of kept) expect(sum).toBe(balance);
    await this.validator.restartWith({ dataFolder: join(this.#network.folder, "forgetful-validator") });
    await this.validator.quiet();
    expect(await this.#readWallets()).toEqual(kept);
  }

  /** The histories of the wallets, each with the balance beside its sum. */
  async #readWallets() {
    const wallets = await Promise.all(WALLETS.map((user) => this.scene.as(user)));
    return await Promise.all(
      wallets.map(async (wallet) => ({
        ...(await compareWithBalance(wallet)),
        history: await historyOf(wallet),
        entries: await wallet.listAnsEntries(),
        subscriptions: await wallet.listSubscriptions(),
        offers: await wallet.listTransferOffers(),
        coins: await wallet.list(),
      })),
    );
  }
}

/** Points that the validator came to, and did not crash at. */
export function listSpared(story: CrashStory, sides: readonly Side[]): readonly string[] {
  const { seen, crashedAt } = story.validator;
  return [...seen].flatMap((name) =>
    sides.map((side) => `${side} ${name}`).filter((point) => !crashedAt.has(point)),
  );
}

const WRITES = /\b(insert into|delete from|update(?= [a-z_]+ set)) ([a-z_]+)/g;
/** Sources whose statements need data of an earlier release, or scans that other scans name. */
const ELSEWHERE = new Set(["wallet-migrations.ts", "known-scans.ts"]);

/** Statements of the validator's source that write, as verb and table. */
export function listWritesOfSource(): readonly string[] {
  const folder = join(import.meta.dirname, "../../packages/validator/src");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"));
  return sources
    .filter((file) => !ELSEWHERE.has(basename(file)))
    .flatMap((file) => listWrites(readFileSync(join(folder, file), "utf8")));
}

export function listWrites(text: string): readonly string[] {
  return [...text.matchAll(WRITES)].map(([, verb, table]) => `${verb} ${table}`);
}

/**
 * Operations that store nothing, although they are not called by GET. No package has a request for an allocation; a pause of an
 * automation ends with the process.
 */
const READING = new Set([
  ...["listTransactions", "getTransferOfferStatus", "getBuyTrafficRequestStatus"],
  ...["rejectAllocationRequest", "pauseAutomation"],
]);

export function listWritingOperations(): readonly string[] {
  const endpoints: readonly Endpoint[] = Object.values(validatorApi.endpoints);
  return endpoints
    .filter(({ method, id, tags }) => method !== "GET" && !READING.has(id) && !tags.includes("scan-proxy"))
    .map(({ id }) => id);
}
