/**
 * The SVs that DsoRules lists may act for the DSO. A choice names the SV in its argument, the SV must have
 * signed the submission, and the DSO's own authority comes from DsoRules, which it signed.
 */
import { abort, requireThat } from "../../engine/failure.ts";
import type { ChoiceCall, ChoiceRules } from "../../engine/template.ts";
import type { PartyId } from "../../values/party-id.ts";
import type { DsoRules } from "./declarations/dso-rules.ts";

type SvInfo = DsoRules["svs"][number][1];

export function svInfo({ svs }: DsoRules, sv: PartyId): SvInfo | undefined {
  return svs.find(([member]) => member === sv)?.[1];
}

export function isMember(rules: DsoRules, sv: PartyId): boolean {
  return svInfo(rules, sv) !== undefined;
}

export function requireMember(rules: DsoRules, sv: PartyId): void {
  requireThat("SV party is an actual SV", isMember(rules, sv));
}

/** A party operates a node once in its life. */
export function requireNeverOperated(rules: DsoRules, sv: PartyId): void {
  const wasOffboarded = rules.offboardedSvs.some(([party]) => party === sv);
  requireThat("SV party has not yet operated a node", !isMember(rules, sv) && !wasOffboarded);
}

/** A choice for members only. The field is optional on the wire, but required. */
export function byMember<Argument extends { readonly sv: PartyId | null }, Result>(
  exercise: (call: ChoiceCall<DsoRules, Argument>) => Result,
): ChoiceRules<DsoRules, Argument, Result> {
  return {
    controllers: (_rules, { sv }) => [actingSv(sv)],
    exercise: (call) => {
      requireMember(call.contract, actingSv(call.argument.sv));
      return exercise(call);
    },
  };
}

export function actingSv(sv: PartyId | null): PartyId {
  return sv ?? abort("no SV party provided");
}
