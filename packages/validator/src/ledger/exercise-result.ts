/**
 * The result of a choice, as a party saw it. Contracts that a choice creates for others alone are named there, and
 * nowhere else in what the party sees.
 */
import { type ChoiceName, type Declaration, ledgerJson, type PartyId, type ResultOf } from "@callsign/ledger";
import { formatOf } from "./event-formats.ts";
import type { ParticipantClient } from "./participant-client.ts";
import { toValidatorError } from "./participant-errors.ts";

export async function getExerciseResult<T extends Declaration, C extends ChoiceName<T>>(
  { client }: ParticipantClient,
  { offset, party }: { readonly offset: number; readonly party: PartyId },
  { template, choice }: { readonly template: T; readonly choice: C },
): Promise<ResultOf<T["choices"][C]>> {
  const body = { offset, updateFormat: formatOf([party], "ledger-effects") };
  const { update } = await client.getUpdateByOffset({ body }).catch((error: unknown) => {
    throw toValidatorError(error);
  });
  const events = "Transaction" in update ? update.Transaction.value.events : [];
  const type = (template as Declaration).choices[choice]?.result;
  for (const event of events)
    if ("ExercisedEvent" in event && event.ExercisedEvent.choice === choice)
      return type?.fromJson(event.ExercisedEvent.exerciseResult, ledgerJson);
  throw new Error(`the update at offset ${offset} did not exercise ${choice}`);
}
