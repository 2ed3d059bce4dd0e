/** The handlers of the validator's operations. */
import { formatInstanceNames, type InstanceNames, type validatorApi } from "@callsign/api";
import { SubscriptionRequest } from "@callsign/ledger";
import { type Call, formatAutomationStatus, type Handlers } from "@callsign/node";
import type { ValidatorAutomations } from "../automation/make-automations.ts";
import { type CreateEntryParts, createEntry } from "../entries/create-entry.ts";
import { listEntries } from "../entries/list-entries.ts";
import { ValidatorError } from "../errors/validator-error.ts";
import { toValidatorError } from "../ledger/participant-errors.ts";
import { findUser, isNoUser } from "../onboarding/wallet-users.ts";
import type { ScanGroup } from "../scans/scan-group.ts";
import {
  dsoPartyId,
  entriesByPrefix,
  entryByName,
  entryByParty,
  latestAmuletRules,
  latestAnsRules,
  rounds,
} from "../scans/scan-lookups.ts";
import { wireContract } from "../store/wire-contract.ts";
import { getBalance } from "../wallet/balance.ts";
import { acceptRequest, getRequest, listRequests, rejectRequest } from "../wallet/subscription-requests.ts";
import {
  cancelSubscription,
  listSubscriptions,
  paySubscription,
  setAutoRenewal,
} from "../wallet/subscriptions.ts";
import { tap } from "../wallet/tap.ts";
import type { Wallet } from "../wallet/wallet.ts";
import type { WalletDirectory } from "../wallet/wallet-directory.ts";
import type { Caller } from "./caller.ts";

type Endpoints = typeof validatorApi.endpoints;
type HealthIds = "isReady" | "isLive" | "getHealthStatus" | "getVersion";

/** The parts of a validator that has started. */
export interface Running extends CreateEntryParts {
  readonly directory: WalletDirectory;
  readonly automations: ValidatorAutomations;
  /** The time for which a tap with the same command id is refused. */
  readonly deduplicationSeconds: number;
}

type Served = Omit<Handlers<Endpoints, Caller>, HealthIds>;
type ServedElsewhere = keyof ReturnType<typeof proxyHandlers> | keyof ReturnType<typeof operatorHandlers>;

/** These operations need no token: the handlers themselves see that the validator has started. */
export function operatorHandlers(running: () => Running | null, names?: InstanceNames) {
  return {
    getValidatorUserInfo: (_: unknown, { url }: Call<Caller>) => {
      const found = running();
      if (found === null) throw new ValidatorError({ kind: "not-started", url });
      return { party_id: found.operatorParty, user_name: found.participant.userId, featured: false };
    },
    getShownNames: async (_: unknown, { url }: Call<Caller>) => {
      const found = running();
      if (found === null) throw new ValidatorError({ kind: "not-started", url });
      return names === undefined
        ? await found.facts.shownNames()
        : formatInstanceNames(names, await found.facts.acronym());
    },
    listAutomations: () => ({
      automations: (running()?.automations.status() ?? []).map(formatAutomationStatus),
    }),
  };
}

export function walletHandlers(running: () => Running): Omit<Served, ServedElsewhere> {
  return {
    createAnsEntry: ({ body }, call) => createEntry(running(), walletOf(call), body),
    listAnsEntries: async (_, call) => ({ entries: await listEntries(running(), walletOf(call)) }),
    userStatus: async (_, { caller }) => {
      const { directory, participant } = running();
      const wallet = await directory.findByUser(caller.userName);
      const user =
        wallet === undefined
          ? await findUser(participant, caller.userName).catch((error: unknown) => {
              if (!isNoUser(error)) throw toValidatorError(error);
              return undefined;
            })
          : undefined;
      const party = wallet?.party ?? user?.primaryParty ?? "";
      return {
        party_id: party,
        user_onboarded: party !== "",
        user_wallet_installed: wallet !== undefined,
        has_featured_app_right: false,
      };
    },
    tap: async ({ body }, call) => {
      const { ledger, deduplicationSeconds } = running();
      return { contract_id: await tap(ledger, walletOf(call), body, deduplicationSeconds) };
    },
    getBalance: (_, call) => getBalance(running(), walletOf(call)),
    listSubscriptionRequests: async (_, call) => ({
      subscription_requests: await listRequests(running().store, walletOf(call)),
    }),
    getSubscriptionRequest: async ({ params }, call) => {
      const request = await getRequest(running().store, walletOf(call), params.contract_id);
      return wireContract(SubscriptionRequest, request);
    },
    acceptSubscriptionRequest: async ({ params }, call) => ({
      initial_payment_contract_id: await acceptRequest(running(), walletOf(call), params.contract_id),
    }),
    rejectSubscriptionRequest: ({ params }, call) =>
      rejectRequest(running(), walletOf(call), params.contract_id),
    cancelSubscriptionRequest: ({ params }, call) =>
      cancelSubscription(running(), walletOf(call), params.contract_id),
    listSubscriptions: async (_, call) => ({
      subscriptions: await listSubscriptions(running(), walletOf(call)),
    }),
    setAutoRenewal: async ({ params, body: { enabled } }, call) => {
      const given = { subscriptionId: params.subscription_id, autoRenew: enabled };
      await setAutoRenewal(running(), walletOf(call), given);
      return { enabled };
    },
    paySubscription: async ({ params }, call) => ({
      payment_contract_id: await paySubscription(running(), walletOf(call), params.subscription_id),
    }),
  };
}

/** The proxy's shapes are its own: rules and rounds whole, rounds in lists. */
export function proxyHandlers(scans: ScanGroup) {
  return {
    scanProxyListAnsEntries: ({ query }, { signal }) => scans.read(entriesByPrefix(query), signal),
    scanProxyLookupAnsEntryByName: async ({ params: { name } }, { signal }) => ({
      entry: found(await scans.read(entryByName(name), signal), "name", name),
    }),
    scanProxyLookupAnsEntryByParty: async ({ params: { party } }, { signal }) => ({
      entry: found(await scans.read(entryByParty(party), signal), "party", party),
    }),
    scanProxyGetAnsRules: async (_, { signal }) => ({
      ans_rules_update: await scans.read(latestAnsRules, signal),
    }),
    scanProxyGetDsoPartyId: (_, { signal }) => scans.read(dsoPartyId, signal),
    scanProxyGetAmuletRules: async (_, { signal }) => ({
      amulet_rules: await scans.read(latestAmuletRules, signal),
    }),
    scanProxyGetOpenAndIssuingMiningRounds: async (_, { signal }) => {
      const { open, issuing } = await scans.read(rounds, signal);
      return { open_mining_rounds: [...open], issuing_mining_rounds: [...issuing] };
    },
  } satisfies Partial<Served>;
}

function found<T>(entry: T | null, by: "name" | "party", sought: string): T {
  if (entry === null) throw new ValidatorError({ kind: "entry-not-found", by, sought });
  return entry;
}

/** The rule of these operations guarantees one. */
function walletOf({ caller: { wallet } }: Call<Caller>): Wallet {
  if (wallet === null) throw new Error("an operation for wallet users was called without a wallet");
  return wallet;
}
