/** Parties and simple contracts of theirs, as the conformance suites have them: made, changed, ended. */
import type {
  Commands,
  CreatedEvent,
  Event,
  EventFormat,
  Transaction,
} from "../../packages/api/src/index.ts";
import { PREFERENCE, preferenceOf } from "../participant/preferences.ts";
import { fresh } from "../support/fresh.ts";
import type { LedgerClient } from "../support/participants.ts";
import type { LedgerOfFile } from "./ledger.ts";

/** Without tokens, a submission names its user. */
export const USER = "conformance";
export const DUMMY = PREFERENCE;

type Given = Parameters<LedgerClient["submitAndWait"]>[0]["body"];
export type IdentifierFilter =
  EventFormat["filtersByParty"][string]["cumulative"][number]["identifierFilter"];

export async function newParty({ open }: LedgerOfFile, hint = "party"): Promise<string> {
  const { partyDetails } = await open.allocateParty({ body: { partyIdHint: fresh(hint) } });
  return partyDetails.party;
}

export function submissionOf(
  party: string,
  commands: Given["commands"],
  given: Partial<Commands> = {},
): Given {
  return { userId: USER, commandId: fresh("command"), actAs: [party], commands, ...given };
}

export function createDummy(party: string, observer = party): Given["commands"][number] {
  return { CreateCommand: { templateId: DUMMY, createArguments: preferenceOf(party, observer) } };
}

export function exerciseDummy(
  contractId: string,
  choice: "RenewalPreference_Set" | "RenewalPreference_Remove",
): Given["commands"][number] {
  const choiceArgument = choice === "RenewalPreference_Set" ? { autoRenew: false } : {};
  return { ExerciseCommand: { templateId: DUMMY, contractId, choice, choiceArgument } };
}

/** Comes and goes in one transaction. */
export function transientDummy(party: string): Given["commands"][number] {
  return {
    CreateAndExerciseCommand: {
      templateId: DUMMY,
      createArguments: preferenceOf(party),
      choice: "RenewalPreference_Remove",
      choiceArgument: {},
    },
  };
}

export async function submit(
  { open }: LedgerOfFile,
  party: string,
  command: Given["commands"][number],
  format: Parameters<LedgerClient["submitAndWaitForTransaction"]>[0]["body"]["transactionFormat"] = null,
): Promise<Transaction> {
  const body = { commands: submissionOf(party, [command]), transactionFormat: format };
  return (await open.submitAndWaitForTransaction({ body })).transaction;
}

/** The contract that was created. */
export async function create(ledger: LedgerOfFile, party: string, observer = party): Promise<CreatedEvent> {
  return createdIn(await submit(ledger, party, createDummy(party, observer)));
}

export async function archive(ledger: LedgerOfFile, party: string, contractId: string): Promise<Transaction> {
  return submit(ledger, party, exerciseDummy(contractId, "RenewalPreference_Remove"));
}

export function createdIn({ events }: { readonly events: readonly Event[] }): CreatedEvent {
  const [event] = events.flatMap((each) => ("CreatedEvent" in each ? [each.CreatedEvent] : []));
  if (event === undefined) throw new Error("nothing was created");
  return event;
}

export async function endOf({ open }: LedgerOfFile): Promise<number> {
  return (await open.getLedgerEnd()).offset;
}

/** For each of the parties the same; for any party if there is none. */
export function formatFor(parties: readonly string[], ...filters: readonly IdentifierFilter[]): EventFormat {
  const own = { cumulative: filters.map((identifierFilter) => ({ identifierFilter })) };
  return {
    filtersByParty: Object.fromEntries(parties.map((party) => [party, own])),
    filtersForAnyParty: parties.length === 0 ? own : null,
    verbose: false,
  };
}

export function templateFilter(templateId: string, includeCreatedEventBlob = false): IdentifierFilter {
  return { TemplateFilter: { value: { templateId, includeCreatedEventBlob } } };
}

export function transactionsOf(
  parties: readonly string[],
  shape: "ACS_DELTA" | "LEDGER_EFFECTS" = "LEDGER_EFFECTS",
  ...filters: readonly IdentifierFilter[]
) {
  return {
    includeTransactions: {
      eventFormat: formatFor(parties, ...filters),
      transactionShape: `TRANSACTION_SHAPE_${shape}` as const,
    },
  };
}

export async function listActive(
  ledger: LedgerOfFile,
  eventFormat: EventFormat,
): Promise<readonly CreatedEvent[]> {
  const { open } = ledger;
  const found = await open.listActiveContracts({
    body: { activeAtOffset: await endOf(ledger), eventFormat },
  });
  return found.flatMap(({ contractEntry }) =>
    "JsActiveContract" in contractEntry ? [contractEntry.JsActiveContract.createdEvent] : [],
  );
}
