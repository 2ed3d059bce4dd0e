/**
 * One sequencer, as a member uses it: the sequencer proves its SV's key, a session is opened by signing a challenge, and
 * renewed when it has ended. The session's key authenticates every answer in it: no other answer is heard.
 */
import {
  ANSWER_SEAL_HEADER,
  type Client,
  type ClientOptions,
  createClient,
  type Endpoint,
  type Fetch,
  type HeldContracts,
  type HostedParties,
  HttpError,
  type NetworkBeginning,
  type NetworkState,
  openingMessage,
  partyPageText,
  type RegisteredMember,
  type ResponseOf,
  readAnswer,
  type StreamPage,
  type SvChanges,
  sealedText,
  sendRequest,
  sequencerApi,
  sessionMessage,
  TransportError,
  type UntypedRequest,
} from "@callsign/api";
import type { Envelope, Verify } from "@callsign/ledger";
import {
  askByChannel,
  type Host,
  type HttpClient,
  type KeptIdentity,
  type LookupChannel,
  makeEphemeralKey,
  type SessionKey,
  type SigningKey,
  sha256,
} from "@callsign/node";
import { ANSWER_MILLISECONDS, MAX_ANSWER_BYTES } from "../limits/limits.ts";
import { findProofFault } from "./check-proof.ts";
import { openStreamChannel } from "./open-stream-channel.ts";
import { PageSize } from "./page-size.ts";
import type { SvSerials } from "./sv-serials.ts";

/** The sequencer does not know the member. */
export class MemberUnknown extends Error {
  override readonly name = "MemberUnknown";
}

/** The member is registered with other keys. */
export class KeyUnknown extends Error {
  override readonly name = "KeyUnknown";
}

/** The sequencer has not shown its SV's key, or an answer is not authenticated by the session. */
export class UnprovenSequencer extends Error {
  override readonly name = "UnprovenSequencer";
}

interface ClientParts {
  readonly fetch: Fetch;
  /** Opens the channel on which the stream is followed; if omitted, it is followed by requests. */
  readonly upgrade?: HttpClient["upgrade"];
  readonly host: Host;
  readonly verify: Verify;
  readonly serials: Pick<SvSerials, "highestOf">;
  /** Called with the serial of each proof that holds. */
  readonly onProven: (sv: string, serial: number) => void;
}

/** A sequencer that has proved itself, and its challenge to the member. */
interface Greeting {
  readonly state: NetworkState;
  readonly challenge: string;
  readonly key: SessionKey;
}

interface Session {
  readonly token: string;
  readonly key: SessionKey;
  /** The id of the sequencer, which it has proved. */
  readonly sequencer: string;
  /** The member's key that signed. */
  readonly openedFor: SigningKey;
}

type MemberOperation =
  | "follow"
  | "listTopologyParties"
  | "findTopologyParties"
  | "listHostedParties"
  | "listHeldContracts";

export interface FollowRequest {
  readonly after: number;
  readonly waitMs: number;
  /** Digests alone if false. */
  readonly bodies: boolean;
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
  readonly #parts: ClientParts;
  readonly #options: ClientOptions;
  readonly #open: Client<typeof sequencerApi.endpoints>;
  readonly #pages = new PageSize();
  readonly #channel: LookupChannel | null;
  /** True if the last page of the stream was not full: the next one is short. */
  #isAtEnd = false;
  #session: Session | null = null;

  constructor(url: string, identity: KeptIdentity, parts: ClientParts) {
    this.url = url;
    this.identity = identity;
    this.#parts = parts;
    this.#options = {
      ...{ fetch: parts.fetch, timers: parts.host.timers },
      baseUrl: url,
      timeoutMilliseconds: ANSWER_MILLISECONDS,
      maxResponseBytes: MAX_ANSWER_BYTES,
    };
    this.#open = createClient(sequencerApi, this.#options);
    this.#channel = openStreamChannel(url, parts);
  }

  /** Ends the channel. */
  close(): void {
    this.#channel?.close();
  }

  /** The id of the sequencer that opened the session. */
  get sequencer(): string | undefined {
    return this.#session?.sequencer;
  }

  /** The network, by a sequencer that has proved to be the one it names. Needs no session. */
  async identify(signal: AbortSignal): Promise<NetworkState> {
    return (await this.#greet(signal)).state;
  }

  getNetwork(signal: AbortSignal): Promise<NetworkState> {
    return this.#open.getNetwork({}, { signal });
  }

  /** The network's first entry, as the sequencer hands it out. */
  getBeginning(signal: AbortSignal): Promise<NetworkBeginning> {
    return this.#open.getBeginning({}, { signal });
  }

  /** Changes of the network's SVs behind a serial, as the sequencer hands them out; none by an earlier release. */
  async listSvChanges(after: bigint, signal: AbortSignal): Promise<SvChanges["changes"]> {
    try {
      return (await this.#open.listSvChanges({ query: { after } }, { signal })).changes;
    } catch (error) {
      if (error instanceof HttpError && error.status === 404) return [];
      throw error;
    }
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
  follow({ after, waitMs, bodies }: FollowRequest, signal: AbortSignal): Promise<StreamPage> {
    return this.#asMember(signal, async (session) => {
      const { limit } = this.#pages;
      try {
        const query = { after: BigInt(after), limit, waitMs, bodies };
        const timeoutMilliseconds = waitMs + this.#pages.patienceMilliseconds;
        const call = { session, signal, timeoutMilliseconds };
        const page = await this.#ask("follow", { query }, [after, limit], call);
        this.#pages.arrived(page.items.length);
        this.#isAtEnd = page.items.length < limit;
        if (bodies && page.items.some(({ body }) => body === null))
          throw new Error("it left out bodies that it was asked for");
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
    const asked = [query.after, query.prefix, query.limit, query.known];
    const { parties } = await this.#asMember(signal, (session) =>
      this.#ask("listTopologyParties", { query }, asked, { session, signal }),
    );
    return parties;
  }

  /** Those of the parties that the sequencer's replica knows. */
  async findParties(parties: readonly string[], signal: AbortSignal): Promise<readonly string[]> {
    const body = { parties: [...parties] };
    const found = await this.#asMember(signal, (session) =>
      this.#ask("findTopologyParties", { body }, parties, { session, signal }),
    );
    return found.parties;
  }

  /** A page of this member's parties, as the sequencer's replica has them, and the end of its stream. */
  listHostedParties(after: string, signal: AbortSignal): Promise<HostedParties> {
    return this.#asMember(signal, (session) =>
      this.#ask("listHostedParties", { query: { after } }, [after], { session, signal }),
    );
  }

  /** A page of the active contracts of its parties. */
  listHeldContracts(after: string, signal: AbortSignal): Promise<HeldContracts> {
    return this.#asMember(signal, (session) =>
      this.#ask("listHeldContracts", { query: { after } }, [after], { session, signal }),
    );
  }

  async #asMember<T>(signal: AbortSignal, call: (session: Session) => Promise<T>): Promise<T> {
    const session = await this.#needSession(signal);
    try {
      return await call(session);
    } catch (error) {
      const isLost = error instanceof HttpError && error.status === 401;
      if ((isLost || error instanceof UnprovenSequencer) && this.#session === session) this.#session = null;
      throw error;
    }
  }

  /** An operation within a session. Throws an `UnprovenSequencer` for an answer that the session's key does not cover. */
  async #ask<Id extends MemberOperation>(
    operation: Id,
    request: UntypedRequest,
    asked: readonly (string | number)[],
    call: { readonly session: Session; readonly signal: AbortSignal; readonly timeoutMilliseconds?: number },
  ): Promise<ResponseOf<(typeof sequencerApi.endpoints)[Id]>> {
    const endpoint: Endpoint = sequencerApi.endpoints[operation];
    const { session, ...limits } = call;
    const options = { ...this.#options, token: () => session.token };
    // A question while the next item is waited for does not wait with it, and long pages are requests.
    const isCarried = operation === "follow" && this.#isAtEnd && this.#channel?.isBusy === false;
    const channel = isCarried ? this.#channel : null;
    const headers = { authorization: `Bearer ${session.token}` };
    const question = { endpoint, request, headers, baseUrl: this.url, ...limits };
    const answer = await askByChannel(channel, question, () =>
      sendRequest(endpoint, request, options, limits),
    );
    const isSealed = () =>
      session.key.holds(
        sealedText({ operation, asked, body: answer.text }),
        answer.header(ANSWER_SEAL_HEADER) ?? "",
      );
    if (answer.status === 200 && !isSealed())
      throw new UnprovenSequencer(
        `its answer is not authenticated by the session with ${session.sequencer}: it was changed on its way`,
      );
    return readAnswer(endpoint, answer) as ResponseOf<(typeof sequencerApi.endpoints)[Id]>;
  }

  /**
   * A session ends with the key that opened it, so another signing key opens another one, before the network has forgotten
   * the old one.
   */
  async #needSession(signal: AbortSignal): Promise<Session> {
    const { signingKey } = this.identity;
    const session = this.#session;
    if (session?.openedFor === signingKey) return session;
    try {
      this.#session = { ...(await this.#openSession(signal)), openedFor: signingKey };
      return this.#session;
    } catch (error) {
      // This sequencer may lag, and not know the new key yet.
      if (session === null || !(error instanceof KeyUnknown)) throw error;
      return session;
    }
  }

  async #openSession(signal: AbortSignal): Promise<Omit<Session, "openedFor">> {
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

  async #openWith({ publicKey, sign }: SigningKey, signal: AbortSignal): Promise<Omit<Session, "openedFor">> {
    const { id: member } = this.identity;
    const { state, challenge, key } = await this.#greet(signal);
    const { network, sequencer } = state;
    const signature = sign(sessionMessage({ network, sequencer, challenge }));
    const body = { member, challenge, publicKey, signature };
    const { token } = await this.#open.openSession({ body }, { signal });
    return { token, key, sequencer };
  }

  async #greet(signal: AbortSignal): Promise<Greeting> {
    const { host, verify, serials, onProven } = this.#parts;
    const { id: member } = this.identity;
    const state = await this.getNetwork(signal);
    const { network, sequencer } = state;
    const own = makeEphemeralKey(host.randomness);
    const memberChallenge = Buffer.from(host.randomness.bytes(32)).toString("hex");
    const body = { member, challenge: memberChallenge, sessionKey: own.publicKey };
    const { challenge, proof } = await this.#open.askChallenge({ body }, { signal });
    if (proof === null)
      throw new UnprovenSequencer("it runs an earlier release, which does not prove its SV's key: update it");
    const keys = { memberKey: own.publicKey, sequencerKey: proof.sessionKey };
    const opening = { network, sequencer, member, challenge, memberChallenge, ...keys };
    const knownSerial = serials.highestOf(sequencer);
    const fault = findProofFault(opening, proof, { hash: sha256, verify, knownSerial });
    if (fault !== null) throw new UnprovenSequencer(fault);
    const key = own.agree(proof.sessionKey, openingMessage(opening));
    if (key === null) throw new UnprovenSequencer("its session key is none");
    onProven(sequencer, proof.serial);
    return { state, challenge, key };
  }
}
