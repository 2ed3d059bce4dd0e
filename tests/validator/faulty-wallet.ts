/** A wallet whose validator reaches its participant only through a faulty one. */
import { type FaultyParticipant, startFaultyParticipant } from "../support/faulty-participant.ts";
import { LocalNetwork } from "../support/local-network.ts";
import { type ValidatorClient, validatorClient } from "../support/network-clients.ts";

export interface FaultyWallet {
  readonly network: LocalNetwork;
  readonly participant: FaultyParticipant;
  readonly wallet: ValidatorClient;
  readonly close: () => Promise<void>;
}

export async function startFaultyWallet(): Promise<FaultyWallet> {
  const network = await LocalNetwork.start();
  const { ledgerUrl, token } = network.net.nodes["app-user"];
  const participant = await startFaultyParticipant(ledgerUrl);
  const validator = await network.startValidator(["app-user"], "faulty", { participantUrl: participant.url });
  const close = async () => {
    await network.close();
    await participant.close();
  };
  return { network, participant, wallet: validatorClient(validator.url, token), close };
}
