/** The validator's license on the ledger. Its choices replace it, so that submissions with it run one at a time. */
import type { Command } from "@callsign/api";
import { type PartyId, type Time, ValidatorLicense } from "@callsign/ledger";
import { KeyedQueue, onePage, type TaskOutcome } from "@callsign/node";
import type { WalletContract } from "../store/contract-rows.ts";
import type { CommandBatch, Priority, Stale } from "../wallet/wallet-ledger.ts";
import { outcomeOf } from "./attempt-outcome.ts";
import type {
  AutomationParts,
  ValidatorAutomation,
  ValidatorAutomationName,
} from "./validator-automation.ts";

export type StoredLicense = WalletContract<ValidatorLicense>;

export class License {
  readonly #parts: AutomationParts;
  readonly #queue = new KeyedQueue();

  constructor(parts: AutomationParts) {
    this.#parts = parts;
  }

  get validator(): PartyId {
    return this.#parts.operatorParty;
  }

  /** The license, or any one if there are several. */
  async find(): Promise<StoredLicense | undefined> {
    return (await this.#parts.store.list(ValidatorLicense, { owner: this.validator }, 1))[0];
  }

  submit(makeBatch: () => Promise<CommandBatch | Stale>, priority: Priority = "low"): Promise<TaskOutcome> {
    const { ledger } = this.#parts;
    return this.#queue.run("license", () =>
      outcomeOf(ledger.submitAs("operator", this.validator, makeBatch, { priority })),
    );
  }
}

export interface LicensedParts extends AutomationParts {
  readonly license: License;
}

export interface LicenseTask {
  readonly task: string;
  /** The time at which the task falls due; null if there is nothing to do. */
  readonly dueAt: (license: StoredLicense) => Time | null;
  readonly command: (license: StoredLicense) => Command;
}

/** An automation whose one task the license makes due at a time. */
export function licenseTask(
  name: ValidatorAutomationName,
  { license, clock }: LicensedParts,
  { task, dueAt, command }: LicenseTask,
): ValidatorAutomation {
  const findDueAt = async () => {
    const found = await license.find();
    return found === undefined ? null : dueAt(found);
  };
  return {
    name,
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
