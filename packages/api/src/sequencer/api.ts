/**
 * A sequencer's API, by which members reach the network: they prove their key, submit signed entries and follow
 * their own stream.
 */
import { MAX_SIGNATURES } from "@callsign/ledger";
import { z } from "zod";
import { type Api, defineEndpoints, json, mergeEndpoints } from "../endpoint.ts";
import { healthEndpoints } from "../splice/health.ts";
import { SPLICE_MAX_BODY_BYTES, SpliceError } from "../splice/rejections.ts";
import { booleanParameter } from "../wire/booleans.ts";
import { int32Parameter, int64, int64Parameter } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { dateTime, hex } from "../wire/texts.ts";
import { memberStateEndpoints } from "./member-state.ts";
import { peerEndpoints } from "./peer-operations.ts";

/** The longest time that a follower waits for the next item. */
export const MAX_FOLLOW_MILLISECONDS = 20_000;
export const MAX_FOLLOW_ITEMS = 500;
/** Parties of the topology in one page, and in one question about given parties. */
export const MAX_TOPOLOGY_PARTIES = 1000;
const MAX_PARTY_CHARACTERS = 255;

/** The text whose SHA-256 tells a sequencer which page of parties its caller has already. */
export function partyPageText(parties: readonly string[]): string {
  return parties.join("\n");
}

const publicKey = hex(64, "a public key of 32 bytes");
const signature = hex(128, "a signature of 64 bytes");

const partyText = z.string().max(MAX_PARTY_CHARACTERS);

const NetworkState = z
  .object({
    /** Submissions name it. */
    network: z.string(),
    /** The SV whose sequencer this is. */
    sequencer: z.string(),
    dso: z.string(),
    synchronizerId: z.string(),
    acronym: z.string(),
    migrationId: int64,
    protocolVersion: int64,
    movableClock: z.boolean(),
    /** The members that are SVs. */
    svs: z.array(z.string()),
    /** The last entry that this SV's replica has applied, with the digest of all outcomes up to it. */
    sequence: int64,
    digest: z.string(),
    recordTime: dateTime,
    /** The record time of an entry sequenced now, moved clock included. */
    now: dateTime,
  })
  .meta({ id: "NetworkState" });
export type NetworkState = z.output<typeof NetworkState>;

const SequencerProof = z
  .object({
    /** X25519, for this session alone. */
    sessionKey: publicKey,
    /** The SV's member id ends in its fingerprint. */
    namespaceKey: publicKey,
    signingKey: publicKey,
    /** The number of the SV's delegations of signing keys: a member that has seen a higher one takes no lower one. */
    serial: int64,
    /** The namespace key's signature of `svKeyMessage`. */
    certificate: signature,
    /** The signing key's signature of `openingMessage`. */
    signature,
  })
  .meta({ id: "SequencerProof" });
export type SequencerProof = z.output<typeof SequencerProof>;

const NetworkBeginning = z
  .object({
    /** The text of the entry's content. The network's id is a hash of it and the record time, and the SVs stand in it. */
    content: z.string(),
    recordTime: dateTime,
  })
  .meta({ id: "NetworkBeginning" });
export type NetworkBeginning = z.output<typeof NetworkBeginning>;

/** Changed sets of SVs in one answer. */
export const MAX_SV_CHANGES = 100;

const SvChanges = z
  .object({
    changes: z
      .array(
        z.object({
          /** 1 for the first change after the network's beginning. */
          serial: int64,
          /** The members that are SVs from then on. */
          svs: z.array(z.string()),
          /** Signatures of `svSetMessage` by namespace keys of SVs before: a quorum of them proves the change. */
          attestations: z.array(z.object({ publicKey, signature })),
        }),
      )
      .max(MAX_SV_CHANGES),
  })
  .meta({ id: "SvChanges" });
export type SvChanges = z.output<typeof SvChanges>;

const RegisteredMember = z
  .object({
    member: z.string(),
    /** The keys that sign for the member. */
    signingKeys: z.array(publicKey),
    /** The number of their delegations, the registration included. */
    keySerial: int64,
  })
  .meta({ id: "RegisteredMember" });
export type RegisteredMember = z.output<typeof RegisteredMember>;

const StreamPage = z
  .object({
    items: z.array(
      z.object({
        offset: int64,
        /** Chained: over the digest before it, the offset and the body. */
        digest: z.string(),
        /** The JSON text of a stream item; null where digests alone were asked for. */
        body: orNull(z.string()),
        /** The words of an error, which no digest covers. */
        cause: orNull(z.string()),
      }),
    ),
    /**
     * The digest of the item at `after`, which the items follow. Null if the stream ends before it, and in answers of an earlier
     * release.
     */
    previousDigest: orNull(z.string()),
    /** The stream's last offset. */
    end: int64,
    recordTime: dateTime,
    now: dateTime,
    /** The last change of the SVs that a quorum of those before attested; none in answers of an earlier release. */
    svSerial: orNull(int64),
  })
  .meta({ id: "StreamPage" });
export type StreamPage = z.output<typeof StreamPage>;

const endpoints = mergeEndpoints(
  defineEndpoints({ tags: ["members"], auth: "none" })({
    getNetwork: {
      method: "GET",
      path: "/v1/network",
      summary: "The network, and where this SV's replica stands",
      success: json(NetworkState),
      errors: [503],
    },
    getBeginning: {
      method: "GET",
      path: "/v1/network/beginning",
      summary: "The log's first entry, which founded the network or continues it from an earlier log",
      success: json(NetworkBeginning),
      errors: [503],
    },
    listSvChanges: {
      method: "GET",
      path: "/v1/network/svs",
      summary:
        "The changes of the network's SVs behind a serial, with the attestations of the SVs before each",
      query: z.object({ after: int64Parameter }),
      success: json(SvChanges),
      errors: [400],
    },
    findMember: {
      method: "GET",
      path: "/v1/members/{member}",
      summary: "The signing keys of a member, as far as this SV's replica has applied the log",
      params: z.object({ member: z.string() }),
      success: json(z.object({ registered: orNull(RegisteredMember) })),
      errors: [400],
    },
    askChallenge: {
      method: "POST",
      path: "/v1/challenge",
      summary:
        "Something to sign, to prove that one is the member, and the proof that the sequencer is its SV's",
      body: z
        .object({
          member: z.string(),
          /** The member's own, for the sequencer to sign. A member of an earlier release has none, nor a session key. */
          challenge: orNull(hex(64, "a challenge of 32 bytes")),
          /** X25519, for this session alone. */
          sessionKey: orNull(publicKey),
        })
        .meta({ id: "AskChallenge" }),
      /** A sequencer of an earlier release has no proof, and a member without a session key gets none. */
      success: json(z.object({ challenge: z.string(), proof: orNull(SequencerProof) })),
      errors: [400, 429, 503],
    },
    openSession: {
      method: "POST",
      path: "/v1/session",
      summary: "The signed challenge for a token to follow with",
      body: z
        .object({ member: z.string(), challenge: z.string(), publicKey, signature })
        .meta({ id: "OpenSession" }),
      success: json(z.object({ token: z.string(), expiresAt: dateTime })),
      errors: [400, 401, 403],
    },
    submit: {
      method: "POST",
      path: "/v1/submissions",
      summary: "Puts a signed entry into the log; answers once it is on disk",
      body: z
        .object({
          content: z.string(),
          signatures: z.array(z.object({ publicKey, signature })).max(MAX_SIGNATURES),
        })
        .meta({ id: "SignedEntry" }),
      success: json(z.object({ sequence: int64 })),
      errors: [400, 403, 429, 503],
    },
    follow: {
      method: "GET",
      path: "/v1/stream",
      summary:
        "The caller's stream behind an offset; waits for the next item if there is none. A header authenticates the answer",
      auth: "member",
      query: z.object({
        after: int64Parameter,
        limit: int32Parameter.default(100),
        waitMs: int32Parameter.default(0),
        /** Digests alone if false. A sequencer of an earlier release sends the bodies all the same. */
        bodies: booleanParameter.default(true),
      }),
      success: json(StreamPage),
      errors: [400, 401, 410],
    },
    listTopologyParties: {
      method: "GET",
      path: "/v1/parties",
      summary:
        "Parties that members host, ordered by their ids, as far as this SV's replica has applied the log",
      auth: "member",
      query: z.object({
        after: partyText.default(""),
        /** The beginning of the party id. */
        prefix: partyText.default(""),
        limit: int32Parameter.default(MAX_TOPOLOGY_PARTIES),
        /** The SHA-256 of `partyPageText` of the page that the caller has. */
        known: z
          .string()
          .regex(/^([0-9a-f]{64})?$/, "expected a SHA-256 in lower-case hex")
          .default(""),
      }),
      /** Null if the page is the one that the caller has. */
      success: json(z.object({ parties: orNull(z.array(z.string())) })),
      errors: [400, 401],
    },
    findTopologyParties: {
      method: "POST",
      path: "/v1/parties/find",
      summary:
        "Those of the given parties that members host, as far as this SV's replica has applied the log",
      auth: "member",
      body: z
        .object({ parties: z.array(partyText).max(MAX_TOPOLOGY_PARTIES) })
        .meta({ id: "FindTopologyParties" }),
      success: json(z.object({ parties: z.array(z.string()) })),
      errors: [400, 401],
    },
  }),
  memberStateEndpoints,
  peerEndpoints,
  healthEndpoints("health"),
);

/** The text of a sequencer that could not append an entry: the entry is not in the log. */
export const LOG_UNWRITABLE =
  "The entry was not appended: the log cannot be written at present. Try again in a minute";

export const sequencerApi = {
  name: "sequencer",
  title: "Sequencer API",
  version: "0.1.0",
  description: "How members of the network submit entries and follow what concerns them.",
  basePath: "/api/sequencer",
  dialect: "splice",
  tags: {
    members: "For the network's members.",
    svs: "For the other SVs.",
    health: "Liveness, readiness, version.",
  },
  errorBody: SpliceError,
  maxBodyBytes: SPLICE_MAX_BODY_BYTES,
  endpoints,
} as const satisfies Api;
