/** The kinds of contracts that scan keeps, and the name of its index among the replica's consumers. */
import { AnsEntry } from "@callsign/ledger";
import { CURRENT_TEMPLATES } from "../contracts/current-templates.ts";

export const SCAN_NAME = "scan";
export const SCAN_TEMPLATES = [...CURRENT_TEMPLATES, AnsEntry] as const;
