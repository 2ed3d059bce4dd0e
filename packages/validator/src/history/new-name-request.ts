import type { CreatedEvent } from "@callsign/api";
import { AnsEntryContext, TakeUpRequest } from "@callsign/ledger";
import { isOf, payloadOf } from "./event-values.ts";

export interface NewNameRequest {
  readonly party: string;
  readonly purpose: "purchase" | "take_up";
  readonly name: string;
  readonly url: string;
  readonly description: string;
  /** The entry to be taken up. */
  readonly entry: string | null;
  readonly createdAt: string;
  readonly offset: number;
}

/** The request that a contract stands for; undefined if it stands for none. Contracts of another DSO stand for none. */
export function readNameRequest(
  event: CreatedEvent,
  dso: string,
): { readonly reference: string; readonly request: NewNameRequest } | undefined {
  const { createdAt, offset, contractId } = event;
  if (isOf(event, AnsEntryContext)) {
    const { user: party, reference, name, url, description, dso: named } = payloadOf(AnsEntryContext, event);
    const request = { party, name, url, description, entry: null, createdAt, offset };
    return named === dso ? { reference, request: { ...request, purpose: "purchase" } } : undefined;
  }
  if (!isOf(event, TakeUpRequest)) return undefined;
  const { user: party, name, entry, dso: named } = payloadOf(TakeUpRequest, event);
  const request = { party, name, url: "", description: "", entry, createdAt, offset };
  return named === dso ? { reference: contractId, request: { ...request, purpose: "take_up" } } : undefined;
}
