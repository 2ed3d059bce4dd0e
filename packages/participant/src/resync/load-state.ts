/** Loads the present state of the participant's parties into an empty store. */
import type { Log, Store } from "@callsign/node";
import type { StateStart } from "../agreement/stream-agreement.ts";
import type { MemberStateReader } from "../network/member-state-reader.ts";
import type { LedgerStore } from "../store/ledger-store.ts";
import { StateStore } from "../store/state-store.ts";

export interface StateLoading {
  readonly state: MemberStateReader;
  readonly store: Store;
  readonly ledger: LedgerStore;
  readonly log: Log;
}

/** Resolves with the place behind which the stream is to be followed. A repeated call begins anew. */
export async function loadState({ state, store, ledger, log }: StateLoading): Promise<StateStart> {
  const start = await state.findStart();
  const filling = new StateStore(store, ledger.memory);
  await filling.begin();
  let [parties, contracts] = [0, 0];
  for await (const page of state.parties()) {
    await filling.addParties(page);
    parties += page.length;
  }
  for await (const page of state.contracts()) {
    await filling.addContracts(page, start);
    contracts += page.length;
  }
  await filling.finish(start);
  await ledger.open();
  log.warn(
    { offset: start.offset, parties, contracts },
    "the stream was pruned: the participant goes on from the active contracts of its parties, and has no earlier history",
  );
  return start;
}
