/** One sequencer, as a member uses it: a session is opened by signing a challenge, and renewed when it has ended. */
import {
  type Client,
  createClient,
  type Fetch,
  HttpError,
  type NetworkState,
  type StreamPage,
  sequencerApi,
  sessionMessage,
  TransportError,
} from "@callsign/api";
import type { Envelope } from "@callsign/ledger";
import type { Host, MemberIdentity } from "@callsign/node";
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

export class SequencerClient {
  readonly url: string;
  readonly identity: MemberIdentity;
  readonly #open: Client<typeof sequencerApi.endpoints>;
  readonly #member: Client<typeof sequencerApi.endpoints>;
  readonly #pages = new PageSize();
  #token: string | undefined;
  #sequencer: string | undefined;

  constructor(url: string, identity: MemberIdentity, { fetch, host }: { fetch: Fetch; host: Host }) {
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

  async submit({ content, signatures }: Envelope, signal: AbortSignal): Promise<void> {
    await this.#open.submit({ body: { content, signatures: [...signatures] } }, { signal });
  }

  /** Items after an offset, at once or after a wait. Opens a session first if there is none. */
  async follow(after: number, waitMs: number, signal: AbortSignal): Promise<StreamPage> {
    if (this.#token === undefined) await this.#openSession(signal);
    try {
      const query = { after: BigInt(after), limit: this.#pages.limit, waitMs };
      const timeoutMilliseconds = waitMs + this.#pages.patienceMilliseconds;
      const page = await this.#member.follow({ query }, { signal, timeoutMilliseconds });
      this.#pages.arrived(page.items.length);
      return page;
    } catch (error) {
      const failure = error instanceof TransportError ? error.failure : null;
      if (failure === "too-large" || failure === "timeout") this.#pages.failed(failure);
      if (error instanceof HttpError && error.status === 401) this.#token = undefined;
      throw error;
    }
  }

  async #openSession(signal: AbortSignal): Promise<void> {
    const { id: member, signingKey } = this.identity;
    try {
      const { network, sequencer } = await this.getNetwork(signal);
      const { challenge } = await this.#open.askChallenge({ body: { member } }, { signal });
      const signature = signingKey.sign(sessionMessage({ network, sequencer, challenge }));
      const body = { member, challenge, publicKey: signingKey.publicKey, signature };
      this.#token = (await this.#open.openSession({ body }, { signal })).token;
      this.#sequencer = sequencer;
    } catch (error) {
      if (error instanceof HttpError && error.status === 403)
        throw new KeyUnknown(`${this.url} knows ${member} by another key`, { cause: error });
      if (error instanceof HttpError && [401, 404].includes(error.status)) {
        throw new MemberUnknown(`${this.url} does not know ${member}`, { cause: error });
      }
      throw error;
    }
  }
}
