/**
 * Keeps the license true: which version the validator runs and whom to ask about it, once an hour at most; and that it
 * is still there, where nothing else has shown that for an hour.
 */
import { type Time, timeFromMicros, ValidatorLicense } from "@callsign/ledger";
import { exercise } from "../ledger/commands.ts";
import type { LedgerClock } from "../ledger/ledger-clock.ts";
import type { WalletLedger } from "../wallet/wallet-ledger.ts";
import { type Automation, onePage } from "./automation.ts";
import type { License } from "./license.ts";
import { stale } from "./stale.ts";

export interface UpkeepParts {
  readonly ledger: WalletLedger;
  readonly license: License;
  readonly clock: LedgerClock;
}

export interface Metadata {
  readonly version: string;
  readonly contactPoint: string;
}

/** The ledger refuses either sooner. */
const HOUR = 3_600_000_000n;
const METADATA = "metadata";
const ACTIVITY = "activity";

export function updateLicenseMetadata(
  { ledger, license, clock }: UpkeepParts,
  metadata: Metadata,
): Automation {
  const dueAt = async (): Promise<Time | null> => {
    const held = await license.find();
    if (held === undefined) return null;
    const before = held.payload.metadata;
    if (before === null) return held.createdAt;
    const isSame = before.version === metadata.version && before.contactPoint === metadata.contactPoint;
    return isSame ? null : timeFromMicros(before.lastUpdatedAt + HOUR);
  };
  return {
    ...dueSince(METADATA, license, dueAt),
    name: "update-license-metadata",
    perform: () =>
      license.inTurn(async () => {
        await ledger.submitAsOperator(async () => {
          const [held, notBefore] = [await license.find(), await dueAt()];
          if (held === undefined || notBefore === null || notBefore > clock.now) throw stale(METADATA);
          const { version, contactPoint } = metadata;
          const argument = { version, contactPoint };
          const choice = "ValidatorLicense_UpdateMetadata";
          return { commands: [exercise(ValidatorLicense, held.contractId, choice, argument)], notBefore };
        });
        return true;
      }),
  };
}

export function reportActivity({ ledger, license, clock }: UpkeepParts): Automation {
  const dueAt = async (): Promise<Time | null> => {
    const held = await license.find();
    if (held === undefined) return null;
    const { lastActiveAt } = held.payload;
    return lastActiveAt === null ? held.createdAt : timeFromMicros(lastActiveAt + HOUR);
  };
  return {
    ...dueSince(ACTIVITY, license, dueAt),
    name: "report-activity",
    perform: () =>
      license.inTurn(async () => {
        await ledger.submitAsOperator(async () => {
          const [held, notBefore] = [await license.find(), await dueAt()];
          if (held === undefined || notBefore === null || notBefore > clock.now) throw stale(ACTIVITY);
          const choice = "ValidatorLicense_ReportActive";
          return { commands: [exercise(ValidatorLicense, held.contractId, choice, {})], notBefore };
        });
        return true;
      }),
  };
}

/** One task that the license makes due at a time. */
function dueSince(
  task: string,
  { validator }: License,
  dueAt: () => Promise<Time | null>,
): Pick<Automation, "reactsTo" | "listDue" | "nextDueAt"> {
  return {
    reactsTo: [ValidatorLicense],
    listDue: onePage(async (now) => {
      const due = await dueAt();
      return due === null || due > now ? [] : [{ task, owner: validator }];
    }),
    nextDueAt: async (now) => {
      const due = await dueAt();
      return due !== null && due > now ? due : null;
    },
  };
}
