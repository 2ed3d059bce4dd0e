/**
 * The fourteen kinds of failure, and how each reaches a caller. A category fixes the gRPC code, the HTTP
 * status, the retry hint and whether details are withheld; an error code only picks its category. Numbers
 * and wire status are those of a Canton participant, because clients branch on them.
 */

/** Every gRPC status code with its number and the HTTP status that the JSON API answers with. */
export const grpcCodes = {
  OK: { number: 0, httpStatus: 200 },
  CANCELLED: { number: 1, httpStatus: 499 },
  UNKNOWN: { number: 2, httpStatus: 500 },
  INVALID_ARGUMENT: { number: 3, httpStatus: 400 },
  DEADLINE_EXCEEDED: { number: 4, httpStatus: 504 },
  NOT_FOUND: { number: 5, httpStatus: 404 },
  ALREADY_EXISTS: { number: 6, httpStatus: 409 },
  PERMISSION_DENIED: { number: 7, httpStatus: 403 },
  RESOURCE_EXHAUSTED: { number: 8, httpStatus: 429 },
  FAILED_PRECONDITION: { number: 9, httpStatus: 400 },
  ABORTED: { number: 10, httpStatus: 409 },
  OUT_OF_RANGE: { number: 11, httpStatus: 400 },
  UNIMPLEMENTED: { number: 12, httpStatus: 501 },
  INTERNAL: { number: 13, httpStatus: 500 },
  UNAVAILABLE: { number: 14, httpStatus: 503 },
  DATA_LOSS: { number: 15, httpStatus: 500 },
  UNAUTHENTICATED: { number: 16, httpStatus: 401 },
} as const satisfies Readonly<Record<string, { readonly number: number; readonly httpStatus: number }>>;

export type GrpcCode = keyof typeof grpcCodes;

/** The client's reaction to a failure, as a word that code can switch on; `advice` says it in full. */
export type ClientStance =
  | "retry-with-back-off"
  | "retry-soon"
  | "retry-few-times"
  | "wait-and-retry"
  | "fix-token"
  | "fix-rights"
  | "fix-request"
  | "change-state"
  | "inspect"
  | "call-operator"
  | "give-up";

export interface CategoryRow {
  readonly meaning: string;
  readonly grpcCode: GrpcCode | null;
  readonly grpcNumber: number | null;
  readonly httpStatus: number | null;
  /** The text of the body's `retryInfo`: a hint of the category, never of a single error. */
  readonly retryInfo: "1 second" | null;
  /** True if the API withholds code, cause and context. Category 5 exists both ways: the code row decides. */
  readonly redacted: boolean;
  readonly stance: ClientStance | null;
  readonly advice: string;
}

/** The HTTP status follows from the gRPC code. Unless its row says otherwise, an error is shown and not retried. */
function answer<Code extends GrpcCode>(grpcCode: Code) {
  const { number, httpStatus }: (typeof grpcCodes)[Code] = grpcCodes[grpcCode];
  return { grpcCode, grpcNumber: number, httpStatus, retryInfo: null, redacted: false } as const;
}

export const errorCategories = {
  1: {
    meaning: "A part of the server that the request needs is away for a moment; the outcome is unknown.",
    ...answer("UNAVAILABLE"),
    retryInfo: "1 second",
    stance: "retry-with-back-off",
    advice: "Send the request again after a pause, and let the pause grow with every attempt.",
  },
  2: {
    meaning: "Others hold a lock or a contract, or a rate limit is reached.",
    ...answer("ABORTED"),
    retryInfo: "1 second",
    stance: "retry-soon",
    advice: "Read the state again and resend soon; this usually clears by itself.",
  },
  3: {
    meaning: "The deadline passed before an answer was known; the request may have taken effect.",
    ...answer("DEADLINE_EXCEEDED"),
    retryInfo: "1 second",
    stance: "retry-few-times",
    advice: "Resend a few times under the same command id, so that deduplication stops a second effect.",
  },
  4: {
    meaning: "The server broke one of its own rules.",
    ...answer("INTERNAL"),
    redacted: true,
    stance: "call-operator",
    advice: "Give the operator the trace id; sending the request again will not help.",
  },
  5: {
    meaning: "The request looks like an attack or comes from a faulty peer.",
    ...answer("INVALID_ARGUMENT"),
    redacted: true,
    stance: "give-up",
    advice: "Do not resend; find out where the offending data came from.",
  },
  6: {
    meaning: "Credentials are missing or not valid.",
    ...answer("UNAUTHENTICATED"),
    redacted: true,
    stance: "fix-token",
    advice: "Obtain a valid token and send it as a bearer token.",
  },
  7: {
    meaning: "The caller is known but lacks the right.",
    ...answer("PERMISSION_DENIED"),
    redacted: true,
    stance: "fix-rights",
    advice: "Have an administrator grant the missing right, or act as another user or party.",
  },
  8: {
    meaning: "The request is wrong whatever the state of the ledger.",
    ...answer("INVALID_ARGUMENT"),
    stance: "fix-request",
    advice: "Correct the request as the cause says; the same request always fails.",
  },
  9: {
    meaning: "The state of the ledger does not meet what the request presumes.",
    ...answer("FAILED_PRECONDITION"),
    stance: "change-state",
    advice: "Bring about the state that the cause asks for, then resend.",
  },
  10: {
    meaning: "What the request would create is already there.",
    ...answer("ALREADY_EXISTS"),
    stance: "inspect",
    advice: "Look at the resource that exists: it may be the outcome of an earlier attempt.",
  },
  11: {
    meaning: "Something that the request names is not there, or not visible to the caller.",
    ...answer("NOT_FOUND"),
    stance: "inspect",
    advice: "Check the identifier, and whether the resource was archived or is hidden from the caller.",
  },
  12: {
    meaning: "The request reads past the current end.",
    ...answer("OUT_OF_RANGE"),
    retryInfo: "1 second",
    stance: "wait-and-retry",
    advice: "Wait until the ledger has moved on, then resend.",
  },
  13: {
    meaning: "Background work runs degraded; this is for the operator's log and never an answer.",
    grpcCode: null,
    grpcNumber: null,
    httpStatus: null,
    retryInfo: null,
    redacted: false,
    stance: null,
    advice: "Callers never see it.",
  },
  14: {
    meaning: "The server does not support the operation.",
    ...answer("UNIMPLEMENTED"),
    redacted: true,
    stance: "give-up",
    advice: "Do not resend; use another operation, or ask the operator whether it can be enabled.",
  },
} as const satisfies Readonly<Record<number, CategoryRow>>;

export type ErrorCategory = keyof typeof errorCategories;

/** The categories that an API may answer with: all but 13, which has no status to answer with. */
export type ApiErrorCategory = Exclude<ErrorCategory, 13>;
