/** A user of a participant who submits one transaction after the other, each acknowledged before the next. */
import type { createClient, ledgerApi } from "../../packages/api/src/index.ts";

export interface Progress {
  stopped: boolean;
  /** Acknowledged transactions of all users. */
  done: number;
}

export type Ledger = ReturnType<typeof createClient<typeof ledgerApi.endpoints>>;

export async function submitUntilStopped(ledger: Ledger, progress: Progress): Promise<void> {
  const submit = await openSubmitter(ledger);
  while (!progress.stopped) {
    await submit();
    progress.done++;
  }
}

/** Creates one contract of a party of its own each time that it is called. */
export async function openSubmitter(ledger: Ledger): Promise<() => Promise<void>> {
  const { partyDetails } = await ledger.allocateParty({
    body: { partyIdHint: "", userId: "ledger-api-user" },
  });
  const party = partyDetails.party;
  const templateId = "#splice-wallet:Splice.Wallet.Install:WalletAppInstall";
  const createArguments = {
    dsoParty: party,
    validatorParty: party,
    endUserName: "load",
    endUserParty: party,
  };
  const commands = [{ CreateCommand: { templateId, createArguments } }];
  let submitted = 0;
  return async () => {
    await ledger.submitAndWait({ body: { commands, commandId: `load ${submitted++}`, actAs: [party] } });
  };
}
