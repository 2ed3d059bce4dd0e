/**
 * Submits an operation. If the outcome of an earlier sending of the same operation is unknown, the command id of that one is
 * used again: so the operation takes effect once, however late the network orders the first sending. Resolves to undefined
 * if the earlier sending has taken effect.
 */
import type { Host } from "@callsign/node";
import { isProblem } from "../errors/validator-error.ts";
import { isDuplicateCommand } from "../ledger/participant-errors.ts";
import type { WalletStore } from "../store/wallet-store.ts";

export async function submitUnlessSent<T>(
  { store, host }: { readonly store: WalletStore; readonly host: Host },
  operation: string,
  submit: (commandId: string) => Promise<T>,
): Promise<T | undefined> {
  const earlier = await store.findSent(operation);
  const commandId = earlier ?? host.randomness.uuid();
  if (earlier === undefined) await store.keepSent(operation, commandId, host.clock.wallMilliseconds());
  try {
    const result = await submit(commandId);
    // A row that stays, as on a full disk, is harmless: the same operation finds what it has done.
    await store.dropSent(operation).catch(() => undefined);
    return result;
  } catch (error) {
    const hasHappened = isDuplicateCommand(error);
    // The error may be about this sending only, while the one before it is still in flight.
    const isKnown = earlier === undefined && !isProblem(error, "outcome-unknown");
    if (hasHappened || isKnown) await store.dropSent(operation);
    if (!hasHappened || earlier === undefined) throw error;
    return undefined;
  }
}
