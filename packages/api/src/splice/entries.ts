/** Name entries and the rules for names, as scan shows them and the validator's proxy repeats them. */
import { z } from "zod";
import { orNull } from "../wire/or-null.ts";
import { dateTime } from "../wire/texts.ts";
import { MaybeCachedContractWithState } from "./contract.ts";
import { pageSizeParameter } from "./page-size.ts";
import { partyParameter } from "./party-parameter.ts";

export const AnsEntry = z
  .object({
    /** Null for a well-known entry, which no contract stands behind. */
    contract_id: orNull(z.string()),
    /** The owner: a party id. */
    user: z.string(),
    /** The full name, with its suffix. */
    name: z.string(),
    url: z.string(),
    description: z.string(),
    /** Null for a well-known entry, which never expires. */
    expires_at: orNull(dateTime),
  })
  .meta({ id: "AnsEntry" });
export type AnsEntry = z.output<typeof AnsEntry>;

export const EntryList = z.object({ entries: z.array(AnsEntry) });
export const EntryLookup = z.object({ entry: AnsEntry });

export const entryListQuery = z.object({
  /** Names that start with this; absent or empty: all. */
  name_prefix: z.string().default(""),
  page_size: pageSizeParameter,
});

/** No name is longer than 60 characters; what is longer than this is not even looked up. */
const MAX_NAME_PARAMETER = 2066;

export const nameParams = z.object({
  name: z.string().max(MAX_NAME_PARAMETER, `A name has at most ${MAX_NAME_PARAMETER} characters.`),
});

export const partyParams = z.object({ party: partyParameter });

export const AnsRulesRequest = z
  .object({
    /** The contract that the caller has already; the answer then leaves it out. */
    cached_ans_rules_contract_id: orNull(z.string()),
    /** Taken and ignored, as in Splice. */
    cached_ans_rules_domain_id: orNull(z.string()),
  })
  .meta({ id: "GetAnsRulesRequest" });

export const AnsRulesResponse = z.object({ ans_rules_update: MaybeCachedContractWithState });
