import type { WireContract } from "@callsign/api";
import { useState } from "react";
import { useChange, useRead } from "../../calls/use-calls.ts";
import { ActionButton } from "../../design/action.tsx";
import { Field } from "../../design/field.tsx";
import { Panel } from "../../design/layout.tsx";
import { ErrorNotice, Nothing, Notice } from "../../design/notice.tsx";
import { ReadView } from "../../design/read-view.tsx";
import { useWords } from "../../words/words.ts";
import { NewVoteRequest } from "./new-vote-request.tsx";
import { RequestFacts } from "./request-facts.tsx";
import { readVoteRequest } from "./vote-request.ts";
import { VoteResults } from "./vote-results.tsx";

/** Decisions of the SVs together: open requests, a new one, and results. */
export function SvVotes() {
  const { operator } = useWords();
  const words = operator.votes;
  const open = useRead("sv", "GET /v0/admin/sv/voterequests", {}, { everyMilliseconds: 10_000 });
  const dso = useRead("sv", "GET /v0/dso", {});
  return (
    <>
      <Panel title={words.openTitle}>
        <ReadView
          read={open}
          isEmpty={({ dso_rules_vote_requests }) => dso_rules_vote_requests.length === 0}
          empty={<Nothing title={words.noneOpen}>{words.noneOpenAdvice}</Nothing>}
        >
          {({ dso_rules_vote_requests }) => (
            <ul>
              {dso_rules_vote_requests.map((contract) => (
                <li key={trackingIdOf(contract)} className="vote">
                  <OpenRequest
                    contract={contract}
                    threshold={dso.data?.voting_threshold ?? null}
                    sv={dso.data?.sv_party_id ?? null}
                  />
                </li>
              ))}
            </ul>
          )}
        </ReadView>
      </Panel>
      <NewVoteRequest requester={dso.data?.sv_party_id ?? null} />
      <VoteResults />
    </>
  );
}

/** Each vote replaces the contract; the first one's id stays. */
function trackingIdOf({ contract_id, payload }: WireContract): string {
  const tracking: unknown = payload["trackingCid"];
  return typeof tracking === "string" ? tracking : contract_id;
}

function OpenRequest({
  contract,
  threshold,
  sv,
}: {
  readonly contract: WireContract;
  readonly threshold: number | null;
  readonly sv: string | null;
}) {
  const words = useWords().operator.votes;
  const request = readVoteRequest(contract.payload);
  const mine = request.votes.find((vote) => vote.sv === sv);
  return (
    <>
      <RequestFacts request={request} />
      <p>
        {words.tally(
          request.votes.filter(({ isAccepted }) => isAccepted).length,
          request.votes.filter(({ isAccepted }) => !isAccepted).length,
          threshold,
        )}
      </p>
      <CastVoteForm id={contract.contract_id} mine={mine?.isAccepted ?? null} />
    </>
  );
}

function CastVoteForm({ id, mine }: { readonly id: string; readonly mine: boolean | null }) {
  const words = useWords().operator.votes;
  const [reason, setReason] = useState("");
  const cast = useChange("sv", "POST /v0/admin/sv/votes");
  const vote = (is_accepted: boolean) =>
    cast.mutate({
      body: { vote_request_contract_id: id, is_accepted, reason_url: "", reason_description: reason },
    });
  return (
    <div className="form">
      {mine === null ? null : <p className="soft">{mine ? words.votedYes : words.votedNo}</p>}
      <Field label={words.myReason} value={reason} onChange={setReason} maxLength={1000} />
      <div className="row">
        <ActionButton size="small" isPending={cast.isPending} onPress={() => vote(true)}>
          {words.accept}
        </ActionButton>
        <ActionButton size="small" kind="danger" isPending={cast.isPending} onPress={() => vote(false)}>
          {words.reject}
        </ActionButton>
      </div>
      {cast.isSuccess ? <Notice kind="good">{words.cast}</Notice> : null}
      {cast.error === null ? null : <ErrorNotice error={cast.error} />}
    </div>
  );
}
