/** The simplest contract there is, for tests: a subscriber's word on renewal, seen by the wallet's provider. */
import type { Commands } from "../../packages/api/src/index.ts";
import type { LedgerClient } from "../support/participants.ts";

export const PREFERENCE = "#callsign-names:Callsign.Names:RenewalPreference";
export const SOME_CONTRACT_ID = `00${"ab".repeat(32)}ca101220${"cd".repeat(32)}`;

let commands = 0;

type GivenCommands = Parameters<LedgerClient["submitAndWait"]>[0]["body"];

export function preferenceOf(subscriber: string, walletProvider = subscriber) {
  return { subscriber, walletProvider, reference: SOME_CONTRACT_ID, autoRenew: true };
}

export function createPreference(
  subscriber: string,
  given: Partial<Commands> & { readonly provider?: string } = {},
): GivenCommands {
  const { provider, ...changed } = given;
  const createArguments = preferenceOf(subscriber, provider);
  return {
    commands: [{ CreateCommand: { templateId: PREFERENCE, createArguments } }],
    commandId: `command-${++commands}`,
    actAs: [subscriber],
    ...changed,
  };
}

export function setPreference(
  subscriber: string,
  contractId: string,
  given: Partial<Commands> = {},
): GivenCommands {
  const choice = { choice: "RenewalPreference_Set", choiceArgument: { autoRenew: false } };
  return {
    commands: [{ ExerciseCommand: { templateId: PREFERENCE, contractId, ...choice } }],
    commandId: `command-${++commands}`,
    actAs: [subscriber],
    ...given,
  };
}

/** Everything that a party sees. */
export function everythingOf(party: string, verbose = false) {
  return { filtersByParty: { [party]: { cumulative: [] } }, filtersForAnyParty: null, verbose };
}

export async function listActive(client: LedgerClient, party: string) {
  const { offset: activeAtOffset } = await client.getLedgerEnd();
  return client.listActiveContracts({ body: { activeAtOffset, eventFormat: everythingOf(party) } });
}
