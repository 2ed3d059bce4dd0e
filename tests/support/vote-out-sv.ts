/** SVs vote another one out over their apps. */
import { createClient, svApi } from "@callsign/api";
import { vi } from "vitest";
import { ActionRequiringConfirmation } from "../../packages/ledger/src/contracts/splice-dso-governance/declarations/confirmed-action.ts";
import { onDsoRules, type PartyId, scanJson } from "../../packages/ledger/src/index.ts";

/** The first voter asks for the vote; the request ends as soon as enough have accepted it. */
export async function voteOutSv(
  sv: PartyId,
  voters: readonly { readonly party: PartyId; readonly appUrl: string }[],
): Promise<void> {
  const [first, ...others] = voters.map(({ party, appUrl }) => ({
    party,
    app: createClient(svApi, { fetch, baseUrl: `${appUrl}/api/sv` }),
  }));
  const action = onDsoRules({ tag: "SRARC_OffboardSv", value: { sv } });
  await first?.app.createVoteRequest({
    body: {
      ...{ requester: first.party, url: "https://example.com", description: "it is gone" },
      action: ActionRequiringConfirmation.toJson(action, scanJson) as Record<string, never>,
      expiration: { microseconds: "3600000000" },
    },
  });
  for (const { app } of others) {
    const find = async () => (await app.listDsoRulesVoteRequests({})).dso_rules_vote_requests[0] ?? false;
    const request = await vi.waitUntil(find, { interval: 20, timeout: 60_000 });
    const vote = { is_accepted: true, reason_url: "", reason_description: "" };
    await app.castVote({ body: { vote_request_contract_id: request.contract_id, ...vote } });
  }
}
