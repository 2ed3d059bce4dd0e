/** The parts of a validator that has started, as its operations use them. */
import type { validatorApi } from "@callsign/api";
import type { Call, Handlers } from "@callsign/node";
import type { ValidatorAutomations } from "../automation/make-automations.ts";
import type { CreateEntryParts } from "../entries/create-entry.ts";
import type { WalletHistory } from "../history/wallet-history.ts";
import type { ParticipantAdmin } from "../ledger/participant-admin.ts";
import type { OffboardingParts } from "../onboarding/offboard-user.ts";
import type { Balances } from "../wallet/balance.ts";
import type { PreapprovalParts } from "../wallet/preapprovals.ts";
import type { TrafficRequestParts } from "../wallet/traffic-requests.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { WalletDirectory } from "../wallet/wallet-directory.ts";
import type { Caller } from "./caller.ts";

export interface Running
  extends CreateEntryParts,
    TrafficRequestParts,
    PreapprovalParts,
    Pick<OffboardingParts, "dso" | "userQueue" | "ownUsers" | "grants"> {
  readonly history: WalletHistory;
  readonly participantAdmin: ParticipantAdmin;
  readonly migrationId: number;
  readonly directory: WalletDirectory;
  readonly balances: Balances;
  readonly automations: ValidatorAutomations;
}

/** The handlers of all operations of the API. Each group of them is a part of it. */
export type Served = Handlers<typeof validatorApi.endpoints, Caller>;

/** The rule of these operations guarantees one. */
export function walletOf({ caller: { wallet } }: Call<Caller>): Wallet {
  if (wallet === null) throw new Error("an operation for wallet users was called without a wallet");
  return wallet;
}
