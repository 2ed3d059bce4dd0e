/** The validator's license on the ledger. Its choices replace it, so that submissions with it run one at a time. */
import type { Command } from "@callsign/api";
import { type PartyId, type Time, ValidatorLicense } from "@callsign/ledger";
import { KeyedQueue, onePage, type TaskOutcome } from "@callsign/node";
import type { LedgerClock } from "../ledger/ledger-clock.ts";
import type { WalletContract } from "../store/contract-rows.ts";
import type { WalletStore } from "../store/wallet-store.ts";
import type { CommandBatch, Stale, WalletLedger } from "../wallet/wallet-ledger.ts";
import { outcomeOf } from "./attempt-outcome.ts";
import type { ValidatorAutomation } from "./automation-names.ts";

export type StoredLicense = WalletContract<ValidatorLicense>;

export class License {
  readonly #store: WalletStore;
  readonly #ledger: WalletLedger;
  readonly #queue = new KeyedQueue();
  readonly validator: PartyId;

  constructor(parts: {
    readonly store: WalletStore;
    readonly ledger: WalletLedger;
    readonly operatorParty: PartyId;
  }) {
    this.#store = parts.store;
    this.#ledger = parts.ledger;
    this.validator = parts.operatorParty;
  }

  /** One, should there be several. */
  async find(): Promise<StoredLicense | undefined> {
    return (await this.#store.list(ValidatorLicense, { owner: this.validator }, 1))[0];
  }

  submit(makeBatch: () => Promise<CommandBatch | Stale>): Promise<TaskOutcome> {
    return this.#queue.run("license", () => outcomeOf(this.#ledger.submitAsOperator(makeBatch)));
  }
}

export interface LicenseTaskParts {
  readonly license: License;
  readonly clock: LedgerClock;
}

export interface LicenseTask {
  readonly task: string;
  /** Null if there is nothing to do. */
  readonly dueAt: (license: StoredLicense) => Time | null;
  readonly command: (license: StoredLicense) => Command;
}

/** The part that automations share whose one task the license makes due at a time. */
export function licenseTask(
  { license, clock }: LicenseTaskParts,
  { task, dueAt, command }: LicenseTask,
): Omit<ValidatorAutomation, "name"> {
  const findDueAt = async () => {
    const found = await license.find();
    return found === undefined ? null : dueAt(found);
  };
  return {
    concerns: [ValidatorLicense],
    listDue: onePage(async (now) => {
      const due = await findDueAt();
      return due === null || due > now ? [] : [{ task, owner: license.validator }];
    }),
    nextDueAt: async (now) => {
      const due = await findDueAt();
      return due !== null && due > now ? due : null;
    },
    perform: () =>
      license.submit(async () => {
        const found = await license.find();
        const notBefore = found === undefined ? null : dueAt(found);
        if (found === undefined || notBefore === null || notBefore > clock.now) return "stale";
        return { commands: [command(found)], notBefore };
      }),
  };
}
