/** The draft of a network's founding, and its differences from an SV's own terms. */
import {
  draftFounding,
  EntryContent,
  type FoundingSvTerms,
  type FoundNetwork,
  ledgerJson,
} from "@callsign/ledger";
import { sha256 } from "@callsign/node";
import { draftOfFounding, type FoundingDraft } from "./network-draft.ts";
import type { NetworkFounding } from "./sign-founding.ts";

/** The terms of a network without its SVs. */
export type NetworkTerms = Omit<NetworkFounding, "svs">;

export function draftNetwork(terms: NetworkTerms, svs: readonly FoundingSvTerms[]): FoundingDraft {
  return draftOfFounding(draftFounding(sha256, { ...terms, svs }));
}

/**
 * Fields in which the draft is another one than an SV's own terms would give for the same SVs. Nobody reads every number of a
 * draft, and a signature holds for all of them.
 */
export function listOtherTerms({ founding }: FoundingDraft, terms: NetworkTerms): readonly string[] {
  const own = draftFounding(sha256, { ...terms, svs: founding.svs });
  return listDifferences(asJson(founding), asJson(own), "");
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
