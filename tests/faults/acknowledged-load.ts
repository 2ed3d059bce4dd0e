/**
 * Commands at a participant and names at a validator, without a pause, whatever happens to the SVs. Keeps what was
 * acknowledged. Errors that say that the network does not answer are retried with new commands; all others end the load.
 */
import { HttpError } from "@callsign/api";
import { sleep, systemHost } from "@callsign/node";
import type { SmallNetwork } from "../backup/small-network.ts";
import { createPreference } from "../participant/preferences.ts";

const SENDERS = 4;
const PAUSE_MILLISECONDS = 50;
/** The codes of refusals after which a caller is to try again. */
const PASSING = /SEQUENCER_REQUEST_FAILED|NOT_CONNECTED_TO_ANY_SYNCHRONIZER/;

/** As the participant answered. */
export interface AcknowledgedCommand {
  readonly commandId: string;
  readonly updateId: string;
  readonly offset: number;
}

export class AcknowledgedLoad {
  readonly commands: AcknowledgedCommand[] = [];
  /** Names whose payment was acknowledged, and all that were asked for. */
  readonly names: string[] = [];
  readonly asked: string[] = [];
  readonly #network: SmallNetwork;
  readonly #party: string;
  #sent = 0;
  #isStopped = true;
  #running: Promise<unknown> = Promise.resolve();
  #onAcknowledged: () => void = () => undefined;

  /** The party is one that the participant's administrator may act as. */
  constructor(network: SmallNetwork, party: string) {
    this.#network = network;
    this.#party = party;
  }

  start(): void {
    this.#isStopped = false;
    const senders = Array.from({ length: SENDERS }, () => this.#repeat(() => this.#send()));
    this.#running = Promise.all([...senders, this.#repeat(() => this.#buy())]);
    // `stop` rejects; until then the failure is nobody's.
    this.#running.catch(() => undefined);
  }

  /** Rejects if the load ended by an error. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  /** Resolves in the moment of an acknowledgement, once there are so many more. Rejects if the load ends before. */
  async acknowledges(more: { readonly commands: number; readonly names: number }): Promise<void> {
    const commands = this.commands.length + more.commands;
    const names = this.names.length + more.names;
    const reached = new Promise<void>((resolve) => {
      this.#onAcknowledged = () => {
        if (this.commands.length >= commands && this.names.length >= names) resolve();
      };
    });
    const ended = this.#running.then(() => {
      throw new Error("the load has ended");
    });
    await Promise.race([reached, ended]);
  }

  async #repeat(step: () => Promise<void>): Promise<void> {
    while (!this.#isStopped) {
      try {
        await step();
        this.#onAcknowledged();
      } catch (error) {
        if (!isUnanswered(error)) throw error;
        await sleep(PAUSE_MILLISECONDS, systemHost);
      }
    }
  }

  async #send(): Promise<void> {
    const commandId = `load-${++this.#sent}`;
    const body = createPreference(this.#party, { commandId });
    const { updateId, completionOffset } = await this.#network.ledger.submitAndWait({ body });
    this.commands.push({ commandId, updateId, offset: completionOffset });
  }

  async #buy(): Promise<void> {
    const wallet = this.#network.wallet("alice");
    const body = { name: `load-${this.asked.length}.unverified.cns`, url: "", description: "" };
    this.asked.push(body.name);
    const { subscriptionRequestCid } = await wallet.createAnsEntry({ body });
    await wallet.acceptSubscriptionRequest({ params: { contract_id: subscriptionRequestCid } });
    this.names.push(body.name);
  }
}

/** The participant and the validator live on: they answer, and say that the network does not. */
function isUnanswered(error: unknown): boolean {
  if (!(error instanceof HttpError)) return false;
  return error.status >= 500 || PASSING.test(JSON.stringify(error.body));
}
