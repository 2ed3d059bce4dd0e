/** The files that go from SV to SV: cards, a draft of a founding or an activation, signatures. None holds a secret. */
import { parseJsonText } from "@callsign/api";
import type { Envelope, FoundingSvTerms } from "@callsign/ledger";
import { CannotStart, type Host, type MemberIdentity } from "@callsign/node";
import { collectSignatures, type DraftSignature, type NetworkDraft, parseDraft } from "@callsign/sv";
import { z } from "zod";
import type { SvSettings } from "../settings/setups.ts";

const Hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));

/** The public side of an SV, as the draft of a founding has it. */
const Card = z.strictObject({
  name: z.string(),
  nodeIdentifier: z.string(),
  namespaceKey: Hex(64),
  signingKey: Hex(64),
  partyHint: z.string(),
  rewardWeight: z.int().positive(),
});
export type Card = z.output<typeof Card>;

const Signatures = z.array(
  z.strictObject({
    draft: Hex(64),
    sv: z.string(),
    signatures: z.array(z.strictObject({ publicKey: Hex(64), signature: Hex(128) })),
  }),
);

const REWARD_WEIGHT = 10_000;

export function cardOf({ name, rewardWeight }: SvSettings, identity: MemberIdentity): Card {
  const { nodeIdentifier, namespaceKey, signingKey } = identity;
  return {
    ...{ name, nodeIdentifier },
    namespaceKey: namespaceKey.publicKey,
    signingKey: signingKey.publicKey,
    partyHint: nodeIdentifier,
    rewardWeight: Number(rewardWeight ?? REWARD_WEIGHT),
  };
}

export function termsOf({ signingKey, rewardWeight, ...card }: Card): Required<FoundingSvTerms> {
  return { ...card, signingKeys: [signingKey], rewardWeight: BigInt(rewardWeight) };
}

type FilesOf = Pick<Host, "files">;

export function readCards(path: string, host: FilesOf): readonly Card[] {
  const cards = z
    .array(Card)
    .min(1)
    .safeParse(parseJsonText(readGiven(path, host)));
  if (cards.success) return cards.data;
  throw new CannotStart(`${path} holds no cards of SVs: give a file of identity show --json`);
}

export function readDraft(path: string, host: FilesOf): NetworkDraft {
  return parseDraft(readGiven(path, host), path);
}

type Kind = NetworkDraft["kind"];

/** The command that takes each kind, with the signatures. */
const TAKEN_BY: Readonly<Record<Kind, string>> = {
  founding: "a founding: give it to callsign network found",
  activation: "an activation: give it to callsign network activate",
};

/** The draft as an entry with the signatures of these files. Throws `CannotStart` for a draft of another kind. */
export function readSigned(kind: Kind, paths: readonly [string, ...string[]], host: FilesOf): Envelope {
  const [path, ...signatures] = paths;
  const draft = readDraft(path, host);
  if (draft.kind !== kind) throw new CannotStart(`${path} is the draft of ${TAKEN_BY[draft.kind]}`);
  return collectSignatures(
    draft,
    signatures.flatMap((each) => readSignatures(each, host)),
  );
}

function readSignatures(path: string, host: FilesOf): readonly DraftSignature[] {
  const signatures = Signatures.safeParse(parseJsonText(readGiven(path, host)));
  if (signatures.success) return signatures.data;
  throw new CannotStart(`${path} holds no signatures under a draft: give a file of network sign`);
}

function readGiven(path: string, { files }: FilesOf): string {
  const text = files.read(path);
  if (text === null) throw new CannotStart(`${path} does not exist`);
  return text;
}

export function writeNew(path: string, text: string, { files }: FilesOf): void {
  if (files.read(path) !== null)
    throw new CannotStart(`${path} is there already: give the name of a new file`);
  files.write(path, text);
}

export function formatFile(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
