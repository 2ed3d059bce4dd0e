/**
 * The draft of a founding, which goes from SV to SV before anything is appended: as JSON that people can read. Its hash is that
 * of the entry's canonical text, whatever the file's spaces are.
 */
import {
  draftFounding,
  EntryContent,
  type Envelope,
  type FoundingSvTerms,
  type FoundNetwork,
  ledgerJson,
} from "@callsign/ledger";
import { CannotStart, sha256 } from "@callsign/node";
import type { NetworkFounding } from "./sign-founding.ts";

/** The terms of a network without its SVs. */
export type NetworkTerms = Omit<NetworkFounding, "svs">;

export interface FoundingDraft {
  readonly founding: FoundNetwork;
  /** The entry's canonical text, which is signed. */
  readonly content: Envelope["content"];
  readonly hash: string;
}

export function draftNetwork(terms: NetworkTerms, svs: readonly FoundingSvTerms[]): FoundingDraft {
  return draftOf(draftFounding(sha256, { ...terms, svs }));
}

export function formatDraft({ founding }: FoundingDraft): string {
  const value = EntryContent.toJson({ tag: "FoundNetwork", value: founding }, ledgerJson);
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Throws `CannotStart`; `path` is for its message. */
export function parseDraft(file: string, path: string): FoundingDraft {
  try {
    const content = EntryContent.fromJson(JSON.parse(file), ledgerJson);
    if (content.tag === "FoundNetwork") return draftOf(content.value);
    throw new Error(`it is an entry ${content.tag}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const text = `${path} is no draft of a founding (${reason}): give a file of network draft`;
    throw new CannotStart(text, { cause: error });
  }
}

/**
 * Fields in which the draft is another one than an SV's own terms would give for the same SVs. Nobody reads every number of a
 * draft, and a signature holds for all of them.
 */
export function listOtherTerms({ founding }: FoundingDraft, terms: NetworkTerms): readonly string[] {
  const own = draftFounding(sha256, { ...terms, svs: founding.svs });
  return listDifferences(asJson(founding), asJson(own), "");
}

function draftOf(founding: FoundNetwork): FoundingDraft {
  const content = EntryContent.encode({ tag: "FoundNetwork", value: founding });
  return { founding, content, hash: sha256(content) };
}

function asJson(value: FoundNetwork): unknown {
  const json = EntryContent.toJson({ tag: "FoundNetwork", value }, ledgerJson);
  return (json as { readonly value: unknown }).value;
}

function listDifferences(drafted: unknown, own: unknown, path: string): readonly string[] {
  if (isObject(drafted) && isObject(own)) {
    const names = [...new Set([...Object.keys(drafted), ...Object.keys(own)])];
    return names.flatMap((name) =>
      listDifferences(drafted[name], own[name], path === "" ? name : `${path}.${name}`),
    );
  }
  const [there, here] = [JSON.stringify(drafted), JSON.stringify(own)];
  return there === here ? [] : [`${path} is ${there ?? "missing"}, and ${here ?? "missing"} here`];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
