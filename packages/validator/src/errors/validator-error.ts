/**
 * The domain errors of a validator. Each kind has its text here; `routes/rejections.ts` gives it a status. Clients show
 * the texts to people, except those of callers: these have texts that all Splice applications share.
 */
import type { LedgerErrorBody, TransportFailure } from "@callsign/api";

export type ValidatorProblem =
  /** The request breaks a rule; the text says which. */
  | { readonly kind: "invalid-request"; readonly text: string }
  | {
      readonly kind: "name-taken";
      readonly name: string;
      /** Null: the caller. */
      readonly holder: string | null;
      readonly expiresAt: string | null;
    }
  | { readonly kind: "name-payment-pending"; readonly name: string }
  /** The caller holds no live entry of that name. */
  | { readonly kind: "entry-not-held"; readonly name: string }
  | { readonly kind: "entry-subscribed"; readonly name: string }
  | { readonly kind: "take-up-refused"; readonly name: string }
  /** The SVs have not decided yet. */
  | { readonly kind: "take-up-pending"; readonly name: string }
  /** The network's protocol version is too early. */
  | { readonly kind: "take-up-unknown" }
  | { readonly kind: "primary-name-not-held"; readonly name: string }
  /** The network's protocol version is too early. */
  | { readonly kind: "primary-name-unknown" }
  /** A scan proxy's lookup found nothing. */
  | { readonly kind: "entry-not-found"; readonly by: "name" | "party"; readonly sought: string }
  | { readonly kind: "contract-not-found"; readonly what: string; readonly contractId: string }
  | { readonly kind: "allocation-request-not-found"; readonly contractId: string }
  /** `what` is the thing and the name of its id, as in `Transfer offer with trackingId`. */
  | { readonly kind: "id-in-use"; readonly what: string; readonly id: string }
  | { readonly kind: "request-in-flight"; readonly what: string; readonly id: string }
  | { readonly kind: "request-not-found"; readonly what: string; readonly id: string }
  | { readonly kind: "preapproval-exists"; readonly contractId: string }
  | { readonly kind: "no-preapproval"; readonly receiver: string }
  /** The validator pays for preapprovals. */
  | { readonly kind: "preapproval-unpaid"; readonly missing: string }
  | { readonly kind: "party-not-hosted"; readonly party: string }
  | { readonly kind: "renewal-pending" }
  | { readonly kind: "renewal-too-early"; readonly from: string }
  | { readonly kind: "not-renewable"; readonly reason: string }
  | { readonly kind: "not-enough-coin"; readonly missing: string }
  | {
      readonly kind: "traffic-too-expensive";
      readonly megabytes: number;
      readonly cost: string;
      readonly balance: string;
    }
  | { readonly kind: "queue-full"; readonly limit: number }
  /** No more bought traffic is left than is kept for top-ups. */
  | { readonly kind: "traffic-reserved"; readonly left: number; readonly reserved: number }
  /** Before its start is over, the validator has none of the paths of wallets. */
  | { readonly kind: "not-started"; readonly url: string }
  /** The caller reads nothing of the reason. */
  | { readonly kind: "not-authorized"; readonly user: string; readonly reason: string }
  | { readonly kind: "no-wallet"; readonly user: string; readonly operation: string }
  /** The party that the user's name leads to was not created for the user. */
  | { readonly kind: "party-of-another"; readonly user: string; readonly party: string }
  /** The user has a wallet, but the participant has no such user any more. */
  | { readonly kind: "user-removed"; readonly user: string }
  | { readonly kind: "preapproval-not-found"; readonly receiver: string }
  /** Contracts that the participant knows may be missing in the copy of the ledger. */
  | { readonly kind: "copy-incomplete" }
  | { readonly kind: "copy-rebuilding" }
  /** No definite answer came; `code` is the last error. */
  | { readonly kind: "outcome-unknown"; readonly code: string }
  | { readonly kind: "participant-unreachable"; readonly failure: TransportFailure }
  /** The validator itself has none, because its provider gives none. */
  | { readonly kind: "no-participant-token" }
  | { readonly kind: "participant-failed"; readonly isUnavailable: boolean }
  | { readonly kind: "ledger-rejection"; readonly error: LedgerErrorBody }
  /** An answer that enough scans gave alike, with the status they gave. */
  | { readonly kind: "scan-rejection"; readonly status: number; readonly message: string }
  | {
      readonly kind: "too-few-scans";
      readonly answered: number;
      readonly scans: number;
      readonly needed: number;
      /** Which scan gave which kind of answer. */
      readonly said: string;
    }
  | {
      readonly kind: "scans-disagree";
      readonly scans: number;
      readonly needed: number;
      /** Which scan gave which kind of answer. */
      readonly said: string;
    };

export type ProblemKind = ValidatorProblem["kind"];

export class ValidatorError extends Error {
  override readonly name = "ValidatorError";
  readonly problem: ValidatorProblem;

  constructor(problem: ValidatorProblem) {
    super(textOf(problem));
    this.problem = problem;
  }
}

export function isProblem(error: unknown, ...kinds: readonly ProblemKind[]): boolean {
  return error instanceof ValidatorError && kinds.includes(error.problem.kind);
}

type Texts = {
  readonly [K in ProblemKind]: (problem: Extract<ValidatorProblem, { readonly kind: K }>) => string;
};

const TEXTS: Texts = {
  "invalid-request": ({ text }) => text,
  "name-taken": ({ name, holder, expiresAt }) => {
    const held = holder === null ? "you hold it already" : `${holder} holds it`;
    const until = expiresAt === null ? "" : ` until ${expiresAt}`;
    return `The name ${name} is taken: ${held}${until}. Choose another name.`;
  },
  "name-payment-pending": ({ name }) =>
    `Your payment for the name ${name} is on its way: a second one could only be refunded.`,
  "entry-not-held": ({ name }) =>
    `You hold no live entry of the name ${name}: only the holder takes a name up, before it expires. Buy it with POST /v0/entry/create.`,
  "entry-subscribed": ({ name }) =>
    `The name ${name} is not cancelled: it has a subscription, and is renewed as before. There is nothing to take up.`,
  "take-up-refused": ({ name }) =>
    `The SVs could not take up the name ${name}: it was about to expire, or the terms of names had changed. If it has not expired, try again.`,
  "take-up-pending": ({ name }) =>
    `Your request to take up the name ${name} is on the ledger, and the SVs have not decided yet: repeat the call.`,
  "take-up-unknown": () =>
    "This network cannot take names up yet: its protocol version is earlier than 3. Its SVs activate it with callsign network activate.",
  "primary-name-not-held": ({ name }) =>
    `You hold no live entry of the name ${name}: a party is called by one of its own names. GET /v0/entry/all lists yours.`,
  "primary-name-unknown": () =>
    "On this network no party can choose its primary name yet: its protocol version is earlier than 5. Its SVs activate it with callsign network activate.",
  "entry-not-found": ({ by, sought }) =>
    by === "name"
      ? `Did not find a AnsEntry with name ${sought}`
      : `Party ${sought} does not have any ANSEntry.`,
  "contract-not-found": ({ what, contractId }) =>
    // The beginning is Splice's, to the letter.
    `Contract id not found: ContractId(id = ${contractId.slice(0, 260)}). This wallet has no such ${what}.`,
  "allocation-request-not-found": ({ contractId }) =>
    `No AllocationRequest with contract id ${contractId.slice(0, 260)} found.`,
  "id-in-use": ({ what, id }) =>
    `${what} ${id} already exists. Choose another id; the very same request, repeated, gets the first answer.`,
  "request-in-flight": ({ what, id }) =>
    `${what} ${id} is in flight: repeat the request when the first call has been answered.`,
  "request-not-found": ({ what, id }) => `Couldn't find ${what} with tracking id ${id}`,
  "preapproval-exists": ({ contractId }) => `This wallet has a preapproval already: ${contractId}.`,
  "no-preapproval": ({ receiver }) =>
    `The receiver ${receiver} has no transfer preapproval: make a transfer offer instead, or ask the receiver for one.`,
  "preapproval-unpaid": ({ missing }) =>
    `The validator has too little coin to pay for the preapproval: ${missing} more is needed. It creates the ` +
    "preapproval when it has enough; ask again then.",
  "party-not-hosted": ({ party }) => `No participant of this network hosts the party ${party}: check its id.`,
  "renewal-pending": () => "A payment of this subscription is on its way: cancel when it has been collected.",
  "renewal-too-early": ({ from }) => `This subscription can be paid from ${from} on; it is too early.`,
  "not-renewable": ({ reason }) => `This subscription cannot be renewed any more: ${reason}.`,
  "not-enough-coin": ({ missing }) =>
    `Not enough coin: ${missing} more is needed. Tap or receive coin, then try again.`,
  "traffic-too-expensive": ({ megabytes, cost, balance }) =>
    `Not enough coin for ${megabytes} MB of traffic: it costs ${cost}, and there are ${balance}.`,
  "queue-full": ({ limit }) =>
    `${limit} operations of this wallet wait already: try again when some have ended.`,
  "traffic-reserved": ({ left, reserved }) =>
    `Only ${left} bytes of bought traffic are left, and ${reserved} are reserved for top-ups: try again after the next top-up.`,
  "not-started": ({ url }) => `${url} is not served before the start of the validator is over`,
  "not-authorized": ({ user, reason }) => `${user} is not authorized: ${reason}`,
  "no-wallet": ({ user, operation }) => `${user} has no wallet for ${operation}`,
  "party-of-another": ({ user, party }) =>
    `The party ${party} exists already and was not created for ${user}: the operator can give it to this user, or ` +
    "another one, with POST /v0/admin/users.",
  "user-removed": ({ user }) =>
    `The operator has removed the user ${user}: only POST /v0/admin/users brings it back.`,
  "preapproval-not-found": ({ receiver }) => `No TransferPreapproval found for party: ${receiver}`,
  "copy-incomplete": () =>
    "The validator has not read all of the ledger, so it cannot tell what was done already: try again in a few seconds.",
  "copy-rebuilding": () => "The validator reads its copy of the ledger anew: try again in a few seconds.",
  "outcome-unknown": ({ code }) =>
    `The network gave no definite answer in time (${code}): this may still happen, or has happened. ` +
    "Look in a minute, before you ask again: /v0/wallet/balance, /v0/wallet/subscription-requests, " +
    "/v0/wallet/subscriptions and /v0/entry/all show it then. Asking for the same name again is safe.",
  "participant-unreachable": ({ failure }) => `The participant cannot be reached (${failure}): try again.`,
  "no-participant-token": () =>
    "The validator has no valid token for its participant: its log and /readyz say why. Try again later.",
  "participant-failed": () => "The participant failed.",
  "ledger-rejection": ({ error }) => `${error.code}: ${error.cause}`,
  "scan-rejection": ({ message }) => message,
  "too-few-scans": ({ answered, scans, needed, said }) =>
    `Only ${answered} scan instances can be used (out of ${scans} configured ones), ` +
    `which are fewer than the necessary ${needed} to achieve BFT guarantees. ${said}`,
  "scans-disagree": ({ scans, needed, said }) =>
    `Failed to reach consensus from ${scans} Scan nodes, requiring ${needed} matching responses. ${said}`,
};

function textOf(problem: ValidatorProblem): string {
  const text = TEXTS[problem.kind] as (problem: ValidatorProblem) => string;
  return text(problem);
}
