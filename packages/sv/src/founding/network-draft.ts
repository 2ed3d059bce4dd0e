/**
 * The draft of an entry that several SVs sign: a founding, or the activation of a protocol version. It goes from SV to SV before
 * anything is appended, as JSON that people can read. Its hash is that of the entry's canonical text, whatever the file's spaces
 * are.
 */
import {
  type ActivateVersion,
  EntryContent,
  type Envelope,
  type FoundNetwork,
  ledgerJson,
} from "@callsign/ledger";
import { CannotStart, sha256 } from "@callsign/node";

interface DraftedEntry {
  /** The entry's canonical text, which is signed. */
  readonly content: Envelope["content"];
  readonly hash: string;
}

export interface FoundingDraft extends DraftedEntry {
  readonly kind: "founding";
  readonly founding: FoundNetwork;
}

export interface ActivationDraft extends DraftedEntry {
  readonly kind: "activation";
  readonly activation: ActivateVersion;
}

export type NetworkDraft = FoundingDraft | ActivationDraft;

export function draftOfFounding(founding: FoundNetwork): FoundingDraft {
  const content = EntryContent.encode({ tag: "FoundNetwork", value: founding });
  return { kind: "founding", founding, content, hash: sha256(content) };
}

export function draftOfActivation(activation: ActivateVersion): ActivationDraft {
  const content = EntryContent.encode({ tag: "ActivateVersion", value: activation });
  return { kind: "activation", activation, content, hash: sha256(content) };
}

export function formatDraft(draft: NetworkDraft): string {
  return `${JSON.stringify(EntryContent.toJson(contentOf(draft), ledgerJson), null, 2)}\n`;
}

function contentOf(draft: NetworkDraft): EntryContent {
  if (draft.kind === "founding") return { tag: "FoundNetwork", value: draft.founding };
  return { tag: "ActivateVersion", value: draft.activation };
}

/** Throws `CannotStart`; `path` is for its message. */
export function parseDraft(file: string, path: string): NetworkDraft {
  try {
    const { tag, value } = EntryContent.fromJson(JSON.parse(file), ledgerJson);
    if (tag === "FoundNetwork") return draftOfFounding(value);
    if (tag === "ActivateVersion") return draftOfActivation(value);
    throw new Error(`it is an entry ${tag}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CannotStart(`${path} is no draft (${reason}): give a file of network draft`, { cause: error });
  }
}
