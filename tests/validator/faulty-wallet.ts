/** A wallet whose validator reaches its participant only through a faulty one. */
import { type FaultyParticipant, startFaultyParticipant } from "./faulty-participant.ts";
import { type WalletClient, WalletNetwork, walletAt } from "./wallet-network.ts";

export interface FaultyWallet {
  readonly network: WalletNetwork;
  readonly participant: FaultyParticipant;
  readonly wallet: WalletClient;
  readonly close: () => Promise<void>;
}

export async function startFaultyWallet(): Promise<FaultyWallet> {
  const network = await WalletNetwork.start();
  const { ledgerUrl, token } = network.net.nodes["app-user"];
  const participant = await startFaultyParticipant(ledgerUrl);
  const validator = await network.startValidator(["app-user"], "faulty", { participantUrl: participant.url });
  const close = async () => {
    await network.close();
    await participant.close();
  };
  return { network, participant, wallet: walletAt(validator.url, token), close };
}
