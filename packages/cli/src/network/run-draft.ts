/** `callsign network draft`: the founding of a network as a file, from the terms of the configuration and the SVs' cards. */
import { draftNetwork, formatDraft } from "@callsign/sv";
import { explaining } from "../output/explain-error.ts";
import type { Surroundings } from "../output/surroundings.ts";
import type { SvSetup } from "../settings/setups.ts";
import { describeDraft } from "./describe-draft.ts";
import { readCards, termsOf, writeNew } from "./founding-files.ts";
import { checkLedgerTakes, networkTermsOf } from "./founding-terms.ts";

interface DraftOptions {
  /** Files of cards. SVs have the ranks of their order. */
  readonly cards: readonly string[];
  readonly to: string;
}

/** Resolves with the exit code. */
export function runDraft(
  setup: SvSetup,
  { terminal, host }: Surroundings,
  { cards, to }: DraftOptions,
): Promise<number> {
  return explaining("callsign network draft", terminal, async () => {
    const svs = cards.flatMap((path) => readCards(path, host)).map(termsOf);
    const draft = draftNetwork(networkTermsOf(setup), svs);
    checkLedgerTakes(draft, host);
    writeNew(to, formatDraft(draft), host);
    terminal.write(
      `${describeDraft(draft)}The draft is in ${to}. Every SV runs callsign network sign ${to} --to <file>, with the same network ` +
        "keys in its configuration; callsign network found takes the draft and all signatures.\n",
    );
  });
}
