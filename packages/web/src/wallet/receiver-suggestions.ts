import type { AnsEntry } from "@callsign/api";
import { useRead } from "../calls/use-calls.ts";
import type { Suggestion } from "../design/suggest-field.tsx";
import { shortenParty } from "../design/texts.tsx";
import { classifyQuery } from "../names/classify-query.ts";
import { useSettled } from "../names/use-settled.ts";
import { useAmuletRules } from "../register/network-facts.ts";
import { textAt } from "../register/payload-fields.ts";
import { useParty } from "../register/wallet-gate.tsx";

const REST_MILLISECONDS = 200;
const MAX_SUGGESTIONS = 20;

/** Names that begin with the typed text. They only help to type: the party is looked up for the whole name. */
export function useReceiverSuggestions(typed: string): readonly Suggestion[] {
  const party = useParty();
  const dso = textAt(useAmuletRules().data?.amulet_rules.contract.payload, "dso");
  const query = classifyQuery(typed);
  const rested = useSettled(typed, REST_MILLISECONDS);
  const prefix = query.kind === "name" ? query.text : null;
  const { data } = useRead(
    "validator",
    "GET /v0/scan-proxy/ext/v1/names",
    { query: { name_prefix: prefix ?? "", page_size: MAX_SUGGESTIONS } },
    { isWanted: prefix !== null && rested === typed, keepsPrevious: true },
  );
  return prefix === null ? [] : listSuggestions(data?.entries ?? [], { prefix, hiddenParties: [party, dso] });
}

/** Nobody sends coin to their own names or to the network, and a name that is typed whole needs no suggestion. */
export function listSuggestions(
  entries: readonly Pick<AnsEntry, "name" | "user">[],
  { prefix, hiddenParties }: { readonly prefix: string; readonly hiddenParties: readonly string[] },
): readonly Suggestion[] {
  const found = entries.filter(({ name, user }) => name.startsWith(prefix) && !hiddenParties.includes(user));
  if (found.length === 1 && found[0]?.name === prefix) return [];
  return found.map(({ name, user }) => ({ value: name, note: shortenParty(user) }));
}
