/** The fields of contract payloads that the pages show. Payloads are JSON in scan's dialect: numbers are texts. */
import type { WireContract } from "@callsign/api";

export interface RoundPayload {
  readonly round: { readonly number: string };
  readonly amuletPrice: string;
  readonly opensAt: string;
  readonly targetClosesAt: string;
}

interface Length {
  readonly microseconds: string;
}

export interface AmuletRulesPayload {
  readonly configSchedule: {
    readonly initialValue: {
      readonly transferConfig: {
        readonly createFee: { readonly fee: string };
        readonly holdingFee: { readonly rate: string };
        readonly transferFee: { readonly initialRate: string };
        readonly lockHolderFee: { readonly fee: string };
      };
      readonly issuanceCurve: { readonly initialValue: { readonly amuletToIssuePerYear: string } };
      readonly decentralizedSynchronizer: { readonly fees: { readonly extraTrafficPrice: string } };
      readonly tickDuration: Length;
      readonly packageConfig: Readonly<Record<string, string>>;
    };
  };
  readonly isDevNet: boolean;
}

export interface DsoRulesPayload {
  readonly svs: readonly (readonly [
    string,
    {
      readonly name: string;
      readonly svRewardWeight: string;
      readonly joinedAsOfRound: { readonly number: string };
    },
  ])[];
  readonly config: { readonly voteRequestTimeout: Length };
}

export interface AnsRulesPayload {
  readonly config: {
    readonly renewalDuration: Length;
    readonly entryLifetime: Length;
    readonly entryFee: string;
  };
}

export interface LicensePayload {
  readonly validator: string;
  readonly sponsor: string;
  readonly faucetState: {
    readonly firstReceivedFor: { readonly number: string };
    readonly lastReceivedFor: { readonly number: string };
    readonly numCouponsMissed: string;
  } | null;
  readonly metadata: { readonly version: string } | null;
  readonly lastActiveAt: string | null;
}

/** The payload as its template has it. The ledger has checked its shape. */
export function readPayload<P>(contract: WireContract): P {
  return contract.payload as unknown as P;
}

export function millisecondsOf({ microseconds }: Length): number {
  return Number(microseconds) / 1000;
}
