/** `callsign network sign`: the signatures of this configuration's SVs under a draft that says what they want. */
import { CannotStart, type Host, type MemberIdentity } from "@callsign/node";
import { type ActivationDraft, type FoundingDraft, listOtherTerms, signDraft } from "@callsign/sv";
import { explaining } from "../output/explain-error.ts";
import type { Surroundings } from "../output/surroundings.ts";
import type { SvSettings, SvSetup } from "../settings/setups.ts";
import { describeActivation, describeDraft } from "./describe-draft.ts";
import { cardOf, formatFile, readDraft, termsOf, writeNew } from "./founding-files.ts";
import { checkLedgerTakes, networkTermsOf } from "./founding-terms.ts";
import { askNetwork, checkActivation, getIdentity } from "./running-network.ts";

interface SignOptions {
  readonly draft: string;
  readonly to: string;
}

/** Resolves with the exit code. */
export function runSign(
  setup: SvSetup,
  { terminal, host }: Surroundings,
  { draft: path, to }: SignOptions,
): Promise<number> {
  return explaining("callsign network sign", terminal, async () => {
    const draft = readDraft(path, host);
    const identities = setup.svs.map((sv) => ({ sv, identity: getIdentity(sv.name, setup, host) }));
    if (draft.kind === "founding") reviewFounding(draft, setup, { terminal, host });
    else await reviewActivation(draft, setup, { terminal, host });
    const signed = identities.map(({ sv, identity }) => {
      if (draft.kind === "founding") checkDrafted(draft, sv, identity);
      return signDraft(draft, sv.name, identity);
    });
    writeNew(to, formatFile(signed), host);
    const names = setup.svs.map(({ name }) => name).join(", ");
    const [terms, next] = draft.kind === "founding" ? ["terms", "found"] : ["version", "activate"];
    terminal.write(
      `Signed for ${names}: this draft, and no other ${terms}. The signature is in ${to}; callsign network ${next} takes it.\n`,
    );
  });
}

function reviewFounding(draft: FoundingDraft, setup: SvSetup, { terminal, host }: Surroundings): void {
  terminal.write(describeDraft(draft));
  checkTerms(draft, setup, host);
}

async function reviewActivation(
  draft: ActivationDraft,
  setup: SvSetup,
  { terminal, host }: Surroundings,
): Promise<void> {
  terminal.write(describeActivation(draft));
  checkActivation(draft, await askNetwork(setup, host));
}

function checkTerms(draft: FoundingDraft, setup: SvSetup, host: Host): void {
  const others = listOtherTerms(draft, networkTermsOf(setup));
  if (others.length > 0)
    throw new CannotStart(
      `the draft has other terms than this configuration: ${others.join("; ")}. Agree on the keys under network, and ` +
        "draft again",
    );
  checkLedgerTakes(draft, host);
}

/** The draft must have the SV as its own card shows it. */
function checkDrafted({ founding }: FoundingDraft, sv: SvSettings, identity: MemberIdentity): void {
  const own = termsOf(cardOf(sv, identity));
  const drafted = founding.svs.find(({ namespaceKey }) => namespaceKey === own.namespaceKey);
  if (drafted === undefined)
    throw new CannotStart(
      `${identity.id} is none of the draft's SVs: draft again with the card of ${sv.name} (identity show --json)`,
    );
  const others = Object.entries(own).filter(
    ([field, value]) => String(drafted[field as keyof typeof own]) !== String(value),
  );
  if (others.length === 0) return;
  const each = others.map(
    ([field, value]) => `${field} is ${drafted[field as keyof typeof own]}, and ${value} here`,
  );
  throw new CannotStart(
    `the draft has ${sv.name} otherwise than its identity and configuration do: ${each.join("; ")}. Draft again with its ` +
      "card (identity show --json)",
  );
}
