import { type Api, mergeEndpoints } from "../endpoint.ts";
import { ledgerCommands } from "./commands.ts";
import { ledgerCompletions } from "./completions.ts";
import { ledgerContracts } from "./contracts.ts";
import { LEDGER_MAX_BODY_BYTES, LedgerErrorBody } from "./error-body.ts";
import { ledgerEventQuery } from "./event-query.ts";
import { ledgerExternalParties } from "./external-parties.ts";
import { ledgerIdentityProviders } from "./identity-providers.ts";
import { ledgerInteractive } from "./interactive.ts";
import { ledgerPackages } from "./packages.ts";
import { ledgerParties } from "./parties.ts";
import { ledgerReassignmentCommands } from "./reassignment-commands.ts";
import { ledgerState } from "./state.ts";
import { ledgerSynchronizers } from "./synchronizers.ts";
import { ledgerTransactionTrees } from "./transaction-trees.ts";
import { ledgerUpdateLookups } from "./update-lookups.ts";
import { ledgerUpdates } from "./updates.ts";
import { ledgerUsers } from "./users.ts";
import { ledgerVersion } from "./version.ts";
import { ledgerVetting } from "./vetting.ts";

const endpoints = mergeEndpoints(
  ledgerVersion,
  ledgerParties,
  ledgerExternalParties,
  ledgerUsers,
  ledgerIdentityProviders,
  ledgerCommands,
  ledgerCompletions,
  ledgerState,
  ledgerSynchronizers,
  ledgerUpdates,
  ledgerUpdateLookups,
  ledgerTransactionTrees,
  ledgerEventQuery,
  ledgerContracts,
  ledgerPackages,
  ledgerVetting,
  ledgerInteractive,
  ledgerReassignmentCommands,
);

export const ledgerApi = {
  name: "ledger",
  title: "JSON Ledger API",
  version: "3.5.0",
  description: "A participant's ledger: parties, users, commands, contracts, updates.",
  basePath: "",
  dialect: "ledger",
  tags: {
    version: "Version, limits, health.",
    parties: "Parties and what the participant keeps about them.",
    users: "Users and their rights.",
    "identity-providers": "Who may sign tokens, besides the participant's own configuration.",
    commands: "Changing the ledger.",
    state: "The ledger's end and its active contracts.",
    updates: "The ledger's history.",
    events: "Events of one contract.",
    packages: "Packages of templates.",
    "interactive submission": "Transactions that are signed elsewhere, and the packages they would use.",
  },
  errorBody: LedgerErrorBody,
  maxBodyBytes: LEDGER_MAX_BODY_BYTES,
  endpoints,
} as const satisfies Api;
