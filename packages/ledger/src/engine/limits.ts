/** Bounds of one transaction. They are generous: the largest batch a wallet sends stays far below. */
export const MAX_TRANSACTION_NODES = 10_000;
export const MAX_TRANSACTION_DEPTH = 64;
export const MAX_COMMANDS = 1000;
export const MAX_PAYLOAD_CHARACTERS = 1_000_000;
/** All payloads, arguments and results together: a choice may copy what it reads many times. */
export const MAX_TRANSACTION_CHARACTERS = 10_000_000;
/** The payload in the message of a failed precondition. Clients of the ledger API see half a thousand characters. */
export const MAX_SHOWN_CHARACTERS = 512;
/** Each contract a submission uses is looked for among these. */
export const MAX_DISCLOSED_CONTRACTS = 200;
