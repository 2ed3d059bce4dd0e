/** An SV of another process, over its sequencer's API. Answers that its key on the ledger did not sign are not heard. */
import {
  type Client,
  type CopyPage,
  copyQuestionMessage,
  createClient,
  type Fetch,
  type HeldQuestion,
  type HeldStatement,
  headMessage,
  MAX_FOLLOW_MILLISECONDS,
  type SignedHead,
  sequencerApi,
  tickMessage,
} from "@callsign/api";
import type { SigningKey, Timers } from "@callsign/node";
import { COPY_ANSWER_BYTES } from "../limits/limits.ts";
import type { AppliedHead, AppliedHeads } from "../replica/applied-heads.ts";
import type { CopyAsked, Peer } from "./peer.ts";
import type { SvSignatureHolds } from "./sv-signatures.ts";

export interface HttpPeerParts {
  /** The other SV's member id. */
  readonly id: string;
  /** The URL of its sequencer. */
  readonly url: string;
  /** This SV's own member id. */
  readonly asker: string;
  readonly heads: AppliedHeads;
  readonly network: () => string;
  readonly signingKey: () => SigningKey;
  readonly holds: SvSignatureHolds;
  readonly fetch: Fetch;
  readonly timers: Timers;
}

export class HttpPeer implements Peer {
  readonly id: string;
  readonly url: string;
  readonly #parts: HttpPeerParts;
  readonly #client: Client<typeof sequencerApi.endpoints>;

  constructor(parts: HttpPeerParts) {
    this.id = parts.id;
    this.url = parts.url;
    this.#parts = parts;
    const { fetch, timers, url: baseUrl } = parts;
    this.#client = createClient(sequencerApi, { fetch, timers, baseUrl });
  }

  readonly head = async (above: number, signal: AbortSignal): Promise<AppliedHead> => {
    const query = { above: BigInt(above), waitMs: MAX_FOLLOW_MILLISECONDS };
    for (;;) {
      const { head } = await this.#client.getSvHead({ query }, { signal });
      if (head === null) continue;
      if (head.sequence <= above)
        throw new Error(`${this.id} answered entry ${head.sequence}, which is not above ${above}`);
      return this.#check(head);
    }
  };

  readonly headAt = async (sequence: number, signal: AbortSignal): Promise<AppliedHead | null> => {
    const request = { params: { sequence: String(sequence) }, query: { waitMs: MAX_FOLLOW_MILLISECONDS } };
    const { head } = await this.#client.findSvHead(request, { signal });
    if (head !== null && head.sequence !== sequence)
      throw new Error(`${this.id} answered entry ${head.sequence} instead of ${sequence}`);
    return head && this.#check(head);
  };

  /** The asker checks the signature. */
  readonly held = (question: HeldQuestion, signal: AbortSignal): Promise<HeldStatement> =>
    this.#client.stateHeld({ body: question }, { signal });

  /** The asker checks the signature and the entries. */
  readonly showCopy = (asked: CopyAsked, signal: AbortSignal): Promise<CopyPage> => {
    const { asker: sv, network, signingKey, fetch, timers } = this.#parts;
    const question = { sv, ...asked };
    const key = signingKey();
    const signature = key.sign(copyQuestionMessage(network(), this.id, question));
    const body = { ...question, publicKey: key.publicKey, signature };
    const limits = { maxResponseBytes: COPY_ANSWER_BYTES };
    return createClient(sequencerApi, { fetch, timers, baseUrl: this.url, ...limits }).showCopy(
      { body },
      { signal },
    );
  };

  readonly tick = async (signal: AbortSignal): Promise<number> => {
    const { heads, asker, network, signingKey } = this.#parts;
    const { sequence, entryHash } = heads.last;
    const question = { sv: asker, sequence, entryHash };
    const key = signingKey();
    const signature = key.sign(tickMessage(network(), this.id, question));
    const body = { ...question, publicKey: key.publicKey, signature };
    return (await this.#client.askTick({ body }, { signal })).sequence;
  };

  #check({ sequence, entryHash, digest, ...signed }: SignedHead): AppliedHead {
    const { network, holds } = this.#parts;
    const head = { sequence, entryHash, digest };
    if (holds(this.id, headMessage(network(), this.id, head), signed)) return head;
    throw new Error(`an answer of ${this.url} is not signed by a key of ${this.id} on the ledger`);
  }
}
