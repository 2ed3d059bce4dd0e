/**
 * Every error code our APIs can answer with, and its category: the one table behind gRPC codes, HTTP
 * statuses, retry hints, redaction and docs/errors.md. Codes and categories are those of a Canton
 * participant. A code never changes its meaning; what is new gets a new row.
 */
import type { ApiErrorCategory } from "./category.ts";

/** The groups of the table, in the order in which docs/errors.md lists them. */
export const errorAreas = {
  auth: "Authentication and authorization",
  party: "Parties",
  user: "Users",
  "identity-provider": "Identity providers",
  request: "Request validation",
  lookup: "Lookups",
  pruning: "Pruning",
  consistency: "Commands: consistency",
  interpretation: "Commands: interpretation",
  submission: "Commands: routing and submission",
  verdict: "Commands: verdicts at commit",
  package: "Packages",
  json: "JSON layer",
  server: "Server",
} as const;

export type ErrorArea = keyof typeof errorAreas;

interface CodeRowBase {
  readonly area: ErrorArea;
  /** The context entry that clients read for this code, besides the entries that every error carries. */
  readonly contextKey?: string;
  /** An HTTP status that replaces the category's; the body still tells the category's gRPC code. */
  readonly httpStatus?: number;
  /** True if the code only ever ends a stream that was already running. */
  readonly streamsOnly?: true;
  /** The first participant line that has the code, where that is after the 3.5 line which we advertise. */
  readonly since?: "3.6";
}

/** A code of category 5 or 14 has to say whether it is redacted, because those exist both ways. */
export type CodeRow =
  | (CodeRowBase & { readonly category: 5 | 14; readonly redacted: boolean })
  | (CodeRowBase & { readonly category: Exclude<ApiErrorCategory, 5 | 14> | "by-contract" });

/**
 * The verdicts' categories are stated by the participant's own sources: a locked contract is contention
 * (2), an inactive one is a missing resource (11), and the malformed ones are redacted security alerts (5).
 * DAML_FAILURE has no category of its own: the contract that fails chooses it. UNSUPPORTED_OPERATION is ours, for what
 * this implementation leaves out: it is not redacted, since its message says what to do instead.
 */
export const errorCatalogue = {
  UNAUTHENTICATED: { area: "auth", category: 6 },
  PERMISSION_DENIED: { area: "auth", category: 7 },
  INTERNAL_AUTHORIZATION_ERROR: { area: "auth", category: 4 },
  INVALID_TOKEN: { area: "auth", category: 8 },
  ACCESS_TOKEN_EXPIRED: { area: "auth", category: 2, streamsOnly: true },
  STALE_STREAM_AUTHORIZATION: { area: "auth", category: 2, streamsOnly: true },

  PARTY_NOT_FOUND: { area: "party", category: 11 },
  INVALID_PARTY_DETAILS_UPDATE_REQUEST: { area: "party", category: 8 },
  CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED: { area: "party", category: 2 },
  MAX_PARTY_DETAILS_ANNOTATIONS_SIZE_EXCEEDED: { area: "party", category: 9 },
  INTERNAL_PARTY_RECORD_NOT_FOUND: { area: "party", category: 4 },
  INTERNAL_PARTY_RECORD_ALREADY_EXISTS: { area: "party", category: 4 },
  PARTY_ALLOCATION_WITHOUT_CONNECTED_SYNCHRONIZER: { area: "party", category: 9 },
  PARTY_ALLOCATION_CANNOT_DETERMINE_SYNCHRONIZER: { area: "party", category: 9 },

  USER_NOT_FOUND: { area: "user", category: 11 },
  USER_ALREADY_EXISTS: { area: "user", category: 10 },
  TOO_MANY_USER_RIGHTS: { area: "user", category: 9 },
  INVALID_USER_UPDATE_REQUEST: { area: "user", category: 8 },
  CONCURRENT_USER_UPDATE_DETECTED: { area: "user", category: 2 },
  MAX_USER_ANNOTATIONS_SIZE_EXCEEDED: { area: "user", category: 9 },
  USER_DELETED_WHILE_UPDATING: { area: "user", category: 2 },
  UNKNOWN_RESOURCE: { area: "user", category: 11 },

  IDP_CONFIG_NOT_FOUND: { area: "identity-provider", category: 11 },
  IDP_CONFIG_BY_ISSUER_NOT_FOUND: { area: "identity-provider", category: 11 },
  IDP_CONFIG_ALREADY_EXISTS: { area: "identity-provider", category: 10 },
  IDP_CONFIG_ISSUER_ALREADY_EXISTS: { area: "identity-provider", category: 10 },
  TOO_MANY_IDENTITY_PROVIDER_CONFIGS: { area: "identity-provider", category: 9 },
  INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST: { area: "identity-provider", category: 8 },

  MISSING_FIELD: { area: "request", category: 8, contextKey: "field_name" },
  INVALID_FIELD: { area: "request", category: 8 },
  INVALID_ARGUMENT: { area: "request", category: 8 },
  NON_POSITIVE_OFFSET: { area: "request", category: 8 },
  NEGATIVE_OFFSET: { area: "request", category: 8 },
  OFFSET_AFTER_LEDGER_END: { area: "request", category: 12 },
  OFFSET_OUT_OF_RANGE: { area: "request", category: 9 },
  DESCENDING_ORDER_MISSING_END: { area: "request", category: 8 },
  INVALID_DEDUPLICATION_PERIOD: { area: "request", category: 9, contextKey: "longest_duration" },
  INVALID_CONTINUATION_TOKEN: { area: "request", category: 8 },
  INVALID_ACS_PAGE_TOKEN: { area: "request", category: 8 },
  INVALID_UPDATES_PAGE_TOKEN: { area: "request", category: 8 },
  LEDGER_TIME_OUTSIDE_BOUNDS: { area: "request", category: 8 },
  DISCLOSED_CONTRACTS_CONFLICTING_PAYLOADS: { area: "request", category: 5, redacted: true },

  CONTRACT_EVENTS_NOT_FOUND: { area: "lookup", category: 11 },
  CONTRACT_PAYLOAD_NOT_FOUND: { area: "lookup", category: 11 },
  UPDATE_NOT_FOUND: { area: "lookup", category: 11 },
  PACKAGE_NOT_FOUND: { area: "lookup", category: 11 },
  PACKAGE_NAMES_NOT_FOUND: { area: "lookup", category: 11 },
  TEMPLATES_OR_INTERFACES_NOT_FOUND: { area: "lookup", category: 11 },
  NO_TEMPLATES_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME: { area: "lookup", category: 11 },
  NO_INTERFACE_FOR_PACKAGE_NAME_AND_QUALIFIED_NAME: { area: "lookup", category: 11 },
  SYNCHRONIZER_NOT_FOUND: { area: "lookup", category: 11, since: "3.6" },
  PARTY_SIGNING_KEYS_NOT_FOUND: { area: "lookup", category: 11, since: "3.6" },
  COMPLETION_NOT_FOUND: { area: "lookup", category: 11, since: "3.6" },

  PARTICIPANT_PRUNED_DATA_ACCESSED: { area: "pruning", category: 9, contextKey: "earliest_offset" },
  PARTICIPANT_DATA_ACCESSED_AFTER_LEDGER_END: { area: "pruning", category: 9, contextKey: "latest_offset" },
  PARTICIPANT_PRUNING_IN_PROGRESS: { area: "pruning", category: 9 },
  UNSAFE_TO_PRUNE: { area: "pruning", category: 9 },
  PARTICIPANT_CONTRACT_PRUNING_BLOCKED: { area: "pruning", category: 2 },

  DUPLICATE_COMMAND: { area: "consistency", category: 10, contextKey: "existing_submission_id" },
  SUBMISSION_ALREADY_IN_FLIGHT: { area: "consistency", category: 2 },
  INCONSISTENT: { area: "consistency", category: 9 },
  CONTRACT_NOT_FOUND: { area: "consistency", category: 11 },
  UNSUPPORTED_CONTRACT_ID: { area: "consistency", category: 11, since: "3.6" },
  INCONSISTENT_CONTRACT_KEY: { area: "consistency", category: 9 },
  DUPLICATE_CONTRACT_KEY: { area: "consistency", category: 10 },

  COMMAND_PREPROCESSING_FAILED: { area: "interpretation", category: 8 },
  DAML_AUTHORIZATION_ERROR: { area: "interpretation", category: 8 },
  DAML_INTERPRETATION_ERROR: { area: "interpretation", category: 9 },
  DAML_INTERPRETER_INVALID_ARGUMENT: { area: "interpretation", category: 8 },
  CONTRACT_NOT_ACTIVE: { area: "interpretation", category: 11 },
  CONTRACT_KEY_NOT_FOUND: { area: "interpretation", category: 11 },
  UNRESOLVED_PACKAGE_NAME: { area: "interpretation", category: 11 },
  UNHANDLED_EXCEPTION: { area: "interpretation", category: 9 },
  INTERPRETATION_USER_ERROR: { area: "interpretation", category: 9 },
  TEMPLATE_PRECONDITION_VIOLATED: { area: "interpretation", category: 8 },
  WRONGLY_TYPED_CONTRACT: { area: "interpretation", category: 9 },
  CONTRACT_DOES_NOT_IMPLEMENT_INTERFACE: { area: "interpretation", category: 8 },
  VALUE_NESTING: { area: "interpretation", category: 8 },
  MALFORMED_TEXT: { area: "interpretation", category: 8 },
  DAML_FAILURE: { area: "interpretation", category: "by-contract", contextKey: "error_id" },
  FAILED_TO_DETERMINE_LEDGER_TIME: { area: "interpretation", category: 2 },
  INTERPRETATION_TIME_EXCEEDED: { area: "interpretation", category: 2 },
  PRESCRIBED_SYNCHRONIZER_ID_MISMATCH: { area: "interpretation", category: 8 },
  FAILED_TO_PREPARE_TRANSACTION: { area: "interpretation", category: 8 },
  FAILED_TO_EXECUTE_TRANSACTION: { area: "interpretation", category: 8 },

  NOT_CONNECTED_TO_ANY_SYNCHRONIZER: { area: "submission", category: 9 },
  NOT_CONNECTED_TO_SYNCHRONIZER: { area: "submission", category: 9 },
  NO_SYNCHRONIZER_FOR_SUBMISSION: { area: "submission", category: 9 },
  NO_SYNCHRONIZER_ON_WHICH_ALL_SUBMITTERS_CAN_SUBMIT: { area: "submission", category: 11 },
  UNKNOWN_SUBMITTERS: { area: "submission", category: 11 },
  UNKNOWN_INFORMEES: { area: "submission", category: 11 },
  PACKAGE_SELECTION_FAILED: { area: "submission", category: 9 },
  PACKAGE_NAME_DISCARDED_DUE_TO_UNVETTED_PACKAGES: { area: "submission", category: 11 },
  SEQUENCER_REQUEST_FAILED: { area: "submission", category: 2 },
  SEQUENCER_BACKPRESSURE: { area: "submission", category: 2 },
  NOT_SEQUENCED_TIMEOUT: { area: "submission", category: 2 },
  NO_VIEW_WITH_VALID_RECIPIENTS: { area: "submission", category: 2 },

  LOCAL_VERDICT_LOCKED_CONTRACTS: { area: "verdict", category: 2 },
  LOCAL_VERDICT_INACTIVE_CONTRACTS: { area: "verdict", category: 11 },
  LOCAL_VERDICT_LEDGER_TIME_OUT_OF_BOUND: { area: "verdict", category: 2 },
  LOCAL_VERDICT_PREPARATION_TIME_OUT_OF_BOUND: { area: "verdict", category: 2 },
  LOCAL_VERDICT_MAX_RECORD_TIME_EXCEEDED: { area: "verdict", category: 2 },
  LOCAL_VERDICT_TIMEOUT: { area: "verdict", category: 2 },
  LOCAL_VERDICT_EXTERNAL_CALL_RESULT_DISAGREEMENT: { area: "verdict", category: 8, since: "3.6" },
  LOCAL_VERDICT_MALFORMED_REQUEST: { area: "verdict", category: 5, redacted: true },
  LOCAL_VERDICT_MALFORMED_PAYLOAD: { area: "verdict", category: 5, redacted: true },
  LOCAL_VERDICT_FAILED_MODEL_CONFORMANCE_CHECK: { area: "verdict", category: 5, redacted: true },
  LOCAL_VERDICT_BAD_ROOT_HASH_MESSAGES: { area: "verdict", category: 5, redacted: true },
  LOCAL_VERDICT_CREATES_EXISTING_CONTRACTS: { area: "verdict", category: 5, redacted: true },
  LOCAL_VERDICT_ACTIVATES_EXISTING_CONTRACTS: { area: "verdict", category: 5, redacted: true },

  DAR_NOT_FOUND: { area: "package", category: 11 },
  INVALID_DAR: { area: "package", category: 8 },
  DAR_PARSE_ERROR: { area: "package", category: 8 },
  DAR_VALIDATION_ERROR: { area: "package", category: 8 },
  ZIP_BOMB: { area: "package", category: 8 },
  NO_PREFERRED_PACKAGES_FOUND: { area: "package", category: 9 },
  UNRESOLVED_VETTING_REFERENCE: { area: "package", category: 11 },
  AMBIGUOUS_VETTING_REFERENCE: { area: "package", category: 9 },

  JSON_API_PACKAGE_SELECTION_FAILED: { area: "json", category: 9 },
  JSON_API_MAXIMUM_LIST_ELEMENTS_NUMBER_REACHED: { area: "json", category: 2, httpStatus: 413 },

  REQUEST_ALREADY_IN_FLIGHT: { area: "server", category: 2 },
  REQUEST_TIME_OUT: { area: "server", category: 3 },
  REQUEST_DEADLINE_EXCEEDED: { area: "server", category: 3 },
  SERVICE_NOT_RUNNING: { area: "server", category: 1 },
  PARTICIPANT_BACKPRESSURE: { area: "server", category: 2 },
  MAXIMUM_NUMBER_OF_STREAMS: { area: "server", category: 2 },
  LEDGER_API_INTERNAL_ERROR: { area: "server", category: 4 },
  SERVICE_INTERNAL_ERROR: { area: "server", category: 4 },
  UNSUPPORTED_OPERATION: { area: "server", category: 14, redacted: false },
} as const satisfies Readonly<Record<string, CodeRow>>;

export type ErrorCode = keyof typeof errorCatalogue;
