/** One sequencer, as a member uses it: a session is opened by signing a challenge, and renewed when it has ended. */
import {
  type Client,
  createClient,
  type Fetch,
  HttpError,
  type NetworkState,
  partyPageText,
  type RegisteredMember,
  type StreamPage,
  sequencerApi,
  sessionMessage,
  TransportError,
} from "@callsign/api";
import type { Envelope } from "@callsign/ledger";
import { type Host, type KeptIdentity, type SigningKey, sha256 } from "@callsign/node";
import { ANSWER_MILLISECONDS, MAX_ANSWER_BYTES } from "../limits/limits.ts";
import { PageSize } from "./page-size.ts";

/** The sequencer does not know the member. */
export class MemberUnknown extends Error {
  override readonly name = "MemberUnknown";
}

/** The member is registered with other keys. */
export class KeyUnknown extends Error {
  override readonly name = "KeyUnknown";
}

/** A page of the network's parties, in the order of their bytes. */
export interface TopologyPage {
  readonly after: string;
  readonly prefix: string;
  readonly limit: number;
}

export class SequencerClient {
  readonly url: string;
  readonly identity: KeptIdentity;
  readonly #open: Client<typeof sequencerApi.endpoints>;
  readonly #member: Client<typeof sequencerApi.endpoints>;
  readonly #pages = new PageSize();
  #token: string | undefined;
  /** The key that signed when the session was opened. */
  #openedFor: SigningKey | undefined;
  #sequencer: string | undefined;

  constructor(url: string, identity: KeptIdentity, { fetch, host }: { fetch: Fetch; host: Host }) {
    this.url = url;
    this.identity = identity;
    const options = {
      ...{ fetch, timers: host.timers },
      baseUrl: url,
      timeoutMilliseconds: ANSWER_MILLISECONDS,
      maxResponseBytes: MAX_ANSWER_BYTES,
    };
    this.#open = createClient(sequencerApi, options);
    this.#member = createClient(sequencerApi, { ...options, token: () => this.#token });
  }

  /** The id of the sequencer that opened the session. */
  get sequencer(): string | undefined {
    return this.#sequencer;
  }

  getNetwork(signal: AbortSignal): Promise<NetworkState> {
    return this.#open.getNetwork({}, { signal });
  }

  /** The keys of this member that the sequencer's replica knows; null if it does not know the member. */
  async findKeys(signal: AbortSignal): Promise<RegisteredMember | null> {
    const params = { member: this.identity.id };
    return (await this.#open.findMember({ params }, { signal })).registered;
  }

  async submit({ content, signatures }: Envelope, signal: AbortSignal): Promise<void> {
    await this.#open.submit({ body: { content, signatures: [...signatures] } }, { signal });
  }

  /** Items after an offset, at once or after a wait. Opens a session first if there is none. */
  follow(after: number, waitMs: number, signal: AbortSignal): Promise<StreamPage> {
    return this.#asMember(signal, async () => {
      try {
        const query = { after: BigInt(after), limit: this.#pages.limit, waitMs };
        const timeoutMilliseconds = waitMs + this.#pages.patienceMilliseconds;
        const page = await this.#member.follow({ query }, { signal, timeoutMilliseconds });
        this.#pages.arrived(page.items.length);
        return page;
      } catch (error) {
        const failure = error instanceof TransportError ? error.failure : null;
        if (failure === "too-large" || failure === "timeout") this.#pages.failed(failure);
        throw error;
      }
    });
  }

  /** A page of the parties that the sequencer's replica knows; null if it is the known one. */
  async listParties(
    page: TopologyPage,
    known: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly string[] | null> {
    const query = { ...page, known: sha256(partyPageText(known)) };
    return (await this.#asMember(signal, () => this.#member.listTopologyParties({ query }, { signal })))
      .parties;
  }

  /** Those of the parties that the sequencer's replica knows. */
  async findParties(parties: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    const body = { parties: [...parties] };
    return (await this.#asMember(signal, () => this.#member.findTopologyParties({ body }, { signal })))
      .parties;
  }

  async #asMember<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    await this.#needSession(signal);
    try {
      return await call();
    } catch (error) {
      if (error instanceof HttpError && error.status === 401) this.#token = undefined;
      throw error;
    }
  }

  /**
   * A session ends with the key that opened it, so another signing key opens another one, before the network has forgotten
   * the old one.
   */
  async #needSession(signal: AbortSignal): Promise<void> {
    const { signingKey } = this.identity;
    if (this.#token !== undefined && this.#openedFor === signingKey) return;
    try {
      await this.#openSession(signal);
      this.#openedFor = signingKey;
    } catch (error) {
      // This sequencer may lag, and not know the new key yet.
      if (this.#token === undefined || !(error instanceof KeyUnknown)) throw error;
    }
  }

  async #openSession(signal: AbortSignal): Promise<void> {
    const { id: member, signingKey, presentKey, nextKey } = this.identity;
    // During a rotation the sequencer may know either key.
    const keys = new Set([signingKey, presentKey, ...(nextKey === null ? [] : [nextKey])]);
    let unknown: unknown;
    for (const key of keys) {
      try {
        return await this.#openWith(key, signal);
      } catch (error) {
        if (error instanceof HttpError && [401, 404].includes(error.status))
          throw new MemberUnknown(`${this.url} does not know ${member}`, { cause: error });
        if (!(error instanceof HttpError && error.status === 403)) throw error;
        unknown = error;
      }
    }
    throw new KeyUnknown(`${this.url} knows ${member} by another key`, { cause: unknown });
  }

  async #openWith({ publicKey, sign }: SigningKey, signal: AbortSignal): Promise<void> {
    const { id: member } = this.identity;
    const { network, sequencer } = await this.getNetwork(signal);
    const { challenge } = await this.#open.askChallenge({ body: { member } }, { signal });
    const signature = sign(sessionMessage({ network, sequencer, challenge }));
    const body = { member, challenge, publicKey, signature };
    this.#token = (await this.#open.openSession({ body }, { signal })).token;
    this.#sequencer = sequencer;
  }
}
