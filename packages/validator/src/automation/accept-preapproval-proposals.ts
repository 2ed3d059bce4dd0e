/**
 * Accepts the preapproval proposals of parties that the participant hosts, with or without a wallet; the validator pays for
 * 90 days. Splice's validator accepts anybody's: strangers would spend its coin.
 */
import {
  addDuration,
  DAY,
  type PayloadOf,
  TransferPreapproval,
  TransferPreapprovalProposal,
  WalletAppInstall,
} from "@callsign/ledger";
import { SKIPPED, STALE } from "@callsign/node";
import { findLocalParty } from "../ledger/local-party.ts";
import { readParty } from "../ledger/read-party.ts";
import { CACHED_PARTIES, DUE_PAGE, RULES_CACHE_MILLISECONDS } from "../limits/limits.ts";
import { CachedLookups } from "../scans/cached-lookups.ts";
import { acceptProposal } from "../wallet/preapprovals.ts";
import { operateFor } from "./attempt-outcome.ts";
import { DueOwners } from "./changed-owners.ts";
import type { AutomationParts, ValidatorAutomation } from "./validator-automation.ts";

export function acceptPreapprovalProposals(parts: AutomationParts): ValidatorAutomation {
  const { store, reads, directory, participant, clock, host, operatorParty } = parts;
  // A stranger may propose a thousand times.
  const hosted = new CachedLookups(
    async (party) => (await findLocalParty(participant, readParty(party))) !== undefined,
    { limit: CACHED_PARTIES, milliseconds: RULES_CACHE_MILLISECONDS, clock: host.clock },
  );
  const isForUs = async ({ receiver, provider }: PayloadOf<typeof TransferPreapprovalProposal>) => {
    if (provider !== operatorParty) return false;
    if ((await directory.findByParty(receiver)) !== undefined) return true;
    return await hosted.get(receiver);
  };
  const isProposer = async (owner: string) =>
    (await reads.listWantedProposals(operatorParty, owner)).length > 0;
  const proposers = new DueOwners(() => reads.listProposers(operatorParty), isProposer);
  return {
    name: "accept-preapproval-proposals",
    concerns: [TransferPreapprovalProposal, TransferPreapproval, WalletAppInstall],
    onChanged: (owners) => proposers.add(owners),
    listDue: async (now, after) => {
      const ofWallets: string[] = [];
      for (const owner of await proposers.list())
        ofWallets.push(...(await reads.listWantedProposals(operatorParty, owner)));
      const unseen = await reads.listDue([TransferPreapprovalProposal], now, after);
      const wanted = ofWallets.filter((task) => task > after).sort();
      return mergePages(
        wanted.slice(0, DUE_PAGE),
        unseen.map(({ task }) => task),
      ).map((task) => ({ task, owner: operatorParty }));
    },
    perform: async (contractId) => {
      const proposal = await store.find(TransferPreapprovalProposal, contractId);
      if (proposal === undefined) return SKIPPED;
      const outcome = (await isForUs(proposal.payload))
        ? await operateFor(parts, operatorParty, acceptProposal(parts, contractId))
        : STALE;
      // A stranger may be hosted later, and a preapproval may end: from a day on, a listing finds the proposal again.
      if (outcome === STALE) await store.postpone(contractId, addDuration(clock.now, DAY));
      return outcome;
    },
  };
}

/** Merges two ordered pages, without repetitions, and no further than both pages reach. */
function mergePages(a: readonly string[], b: readonly string[]): readonly string[] {
  const ends = [a, b].flatMap((page) => (page.length < DUE_PAGE ? [] : [page.at(-1) ?? ""]));
  const merged = [...new Set([...a, ...b])].sort();
  return merged.filter((task) => ends.every((end) => task <= end));
}
