/** A user of a participant who submits one transaction after the other, each acknowledged before the next. */
import type { createClient, ledgerApi } from "../../packages/api/src/index.ts";

export interface Progress {
  stopped: boolean;
  /** Acknowledged transactions of all users. */
  done: number;
}

export async function submitUntilStopped(
  ledger: ReturnType<typeof createClient<typeof ledgerApi.endpoints>>,
  progress: Progress,
): Promise<void> {
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
  for (let i = 0; !progress.stopped; i++) {
    await ledger.submitAndWait({ body: { commands, commandId: `load ${i}`, actAs: [party] } });
    progress.done++;
  }
}
