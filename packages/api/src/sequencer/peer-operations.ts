/** The part of a sequencer's API that is for the other SVs. Every answer is signed by the SV's signing key. */
import { z } from "zod";
import { defineEndpoints, json } from "../endpoint.ts";
import { int32Parameter, int64, int64Parameter } from "../wire/numbers.ts";
import { orNull } from "../wire/or-null.ts";
import { hex } from "../wire/texts.ts";

/** Longer names of a term are not a log's. */
const MAX_TERM_CHARACTERS = 255;

const hash = hex(64, "a SHA-256");
const signedBy = {
  publicKey: hex(64, "a public key of 32 bytes"),
  signature: hex(128, "a signature of 64 bytes"),
};

const SignedHead = z
  .object({ sequence: int64, entryHash: hash, digest: hash, ...signedBy })
  .meta({ id: "SignedHead" });
export type SignedHead = z.output<typeof SignedHead>;

/** The entry that an SV holds last, as an answer to a question about a log's end. */
const HeldStatement = z
  .object({ sequence: int64, entryHash: hash, ...signedBy })
  .meta({ id: "HeldStatement" });
export type HeldStatement = z.output<typeof HeldStatement>;

const HeldQuestion = z
  .object({
    sequence: int64,
    entryHash: hash,
    term: z.string().max(MAX_TERM_CHARACTERS),
    /** Random: an old answer answers nothing else. */
    nonce: hex(32, "a nonce of 16 bytes"),
  })
  .meta({ id: "HeldQuestion" });
export type HeldQuestion = z.output<typeof HeldQuestion>;

/** The asking SV, and the entry behind which it wants the entries of the other's copy of the log. */
const CopyQuestion = z
  .object({
    sv: z.string().max(255),
    sequence: int64,
    entryHash: hash,
    /** The term of the log that is restored: an SV that answers copies nothing of earlier ones afterwards. */
    term: z.string().max(MAX_TERM_CHARACTERS),
    /** Random: an old answer answers nothing else. */
    nonce: hex(32, "a nonce of 16 bytes"),
    ...signedBy,
  })
  .meta({ id: "CopyQuestion" });
export type CopyQuestion = z.output<typeof CopyQuestion>;

const place = z.object({ sequence: int64, entryHash: hash });

/** A page of an SV's own copy of the log. */
const CopyPage = z
  .object({
    /** The last entry of the whole copy. */
    end: place,
    /** The copy has the entry that the question names. If not, it has nothing behind it either. */
    follows: z.boolean(),
    /** The last entry of the page; the one of the question if the page is empty. */
    last: place,
    /** Canonical bytes of the entries behind the one of the question, up to the last. */
    entries: z.array(z.string()),
    ...signedBy,
  })
  .meta({ id: "CopyPage" });
export type CopyPage = z.output<typeof CopyPage>;

/** The asking SV, and an entry that it has applied: every question names a later one. */
const TickQuestion = z
  .object({ sv: z.string().max(255), sequence: int64, entryHash: hash, ...signedBy })
  .meta({ id: "TickQuestion" });
export type TickQuestion = z.output<typeof TickQuestion>;

/** A part of a snapshot, and the SV that asks for it. The parts hold the whole ledger: they are for SVs alone. */
const SnapshotPartQuestion = z
  .object({ sv: z.string().max(255), sequence: int64, part: int64, ...signedBy })
  .meta({ id: "SnapshotPartQuestion" });
export type SnapshotPartQuestion = z.output<typeof SnapshotPartQuestion>;

/** The message by which one SV asks another one for a part of a snapshot. */
export function snapshotPartMessage(
  network: string,
  asked: string,
  { sv, sequence, part }: Omit<SnapshotPartQuestion, keyof typeof signedBy>,
): string {
  return `callsign-snapshot-part-1\n${network}\n${asked}\n${sv}\n${sequence}\n${part}`;
}

interface Place {
  readonly sequence: number;
  readonly entryHash: string;
}

/** The message that an SV signs about an entry it has applied. */
export function headMessage(network: string, sv: string, head: Place & { readonly digest: string }): string {
  return `callsign-head-1\n${network}\n${sv}\n${head.sequence}\n${head.entryHash}\n${head.digest}`;
}

/** The message that an SV signs about the last entry it holds, asked about the end of a log in a term. */
export function heldMessage(network: string, sv: string, question: HeldQuestion, held: Place): string {
  const { sequence, entryHash, term, nonce } = question;
  const asked = `${sequence}\n${entryHash}\n${nonce}\n${JSON.stringify(term)}`;
  return `callsign-held-1\n${network}\n${sv}\n${asked}\n${held.sequence}\n${held.entryHash}`;
}

/** The message by which one SV asks another one for entries of its copy of the log. */
export function copyQuestionMessage(
  network: string,
  asked: string,
  { sv, sequence, entryHash, term, nonce }: Omit<CopyQuestion, keyof typeof signedBy>,
): string {
  const place = `${sequence}\n${entryHash}\n${nonce}\n${JSON.stringify(term)}`;
  return `callsign-copy-question-1\n${network}\n${asked}\n${sv}\n${place}`;
}

/** The message that an SV signs about its copy. The last entry's hash covers the entries before it. */
export function copyPageMessage(
  network: string,
  sv: string,
  question: Pick<CopyQuestion, "sequence" | "entryHash" | "term" | "nonce">,
  { end, follows, last }: Pick<CopyPage, "end" | "follows" | "last">,
): string {
  const { sequence, entryHash, term, nonce } = question;
  const asked = `${sequence}\n${entryHash}\n${nonce}\n${JSON.stringify(term)}`;
  const shown = `${follows}\n${last.sequence}\n${last.entryHash}`;
  return `callsign-copy-1\n${network}\n${sv}\n${asked}\n${end.sequence}\n${end.entryHash}\n${shown}`;
}

/** The message by which one SV asks another one for a tick. */
export function tickMessage(
  network: string,
  asked: string,
  question: Omit<TickQuestion, keyof typeof signedBy>,
): string {
  const { sv, sequence, entryHash } = question;
  return `callsign-tick-1\n${network}\n${asked}\n${sv}\n${sequence}\n${entryHash}`;
}

const waitMs = int32Parameter.default(0);

export const peerEndpoints = defineEndpoints({ tags: ["svs"], auth: "none" })({
  getSvHead: {
    method: "GET",
    path: "/v1/sv/head",
    summary:
      "The last entry that this SV has applied, once it is above a number; null if the wait ends before",
    query: z.object({ above: int64Parameter.default(-1n), waitMs }),
    success: json(z.object({ head: orNull(SignedHead) })),
    errors: [400, 429, 503],
  },
  findSvHead: {
    method: "GET",
    path: "/v1/sv/heads/{sequence}",
    summary: "An entry that this SV has applied lately; null if it is not there, or too long ago",
    params: z.object({ sequence: int64Parameter }),
    query: z.object({ waitMs }),
    success: json(z.object({ head: orNull(SignedHead) })),
    errors: [400, 429, 503],
  },
  stateHeld: {
    method: "POST",
    path: "/v1/sv/held",
    summary: "The last entry that this SV holds, asked about the end of a log whose server has changed",
    body: HeldQuestion,
    success: json(HeldStatement),
    errors: [400, 503],
  },
  showCopy: {
    method: "POST",
    path: "/v1/sv/copy",
    summary:
      "The entries of this SV's own copy of the log behind an entry, page by page; for the network's SVs, to restore a log",
    body: CopyQuestion,
    success: json(CopyPage),
    errors: [400, 403, 503],
  },
  askTick: {
    method: "POST",
    path: "/v1/sv/ticks",
    summary: "Has this SV append a tick; for the network's SVs",
    body: TickQuestion,
    success: json(z.object({ sequence: int64 })),
    errors: [400, 403, 503],
  },
  getSnapshot: {
    method: "GET",
    path: "/v1/sv/snapshot",
    summary:
      "The last snapshot of the state that a quorum of the SVs attested, by its parts' hashes; null if there is none",
    success: json(
      z.object({
        snapshot: orNull(
          z
            .object({
              /** JSON: the network, the entry whose state it is, and the hashes of the parts. */
              manifest: z.string(),
              /** JSON: the log's first entry, changes of the SVs, and the SVs' signatures. */
              proof: z.string(),
            })
            .meta({ id: "AttestedSnapshot" }),
        ),
      }),
    ),
    errors: [503],
  },
  getSnapshotPart: {
    method: "POST",
    path: "/v1/sv/snapshot/parts",
    summary: "A part of the last snapshot; for the network's SVs",
    body: SnapshotPartQuestion,
    success: json(z.object({ part: z.string() })),
    errors: [400, 403, 404, 503],
  },
});
