import type { DsoInfo, WireContract } from "@callsign/api";
import { useState } from "react";
import { useChange, useRead } from "../../calls/use-calls.ts";
import { ActionButton } from "../../design/action.tsx";
import { Field } from "../../design/field.tsx";
import { Panel } from "../../design/layout.tsx";
import { Nothing, Notice } from "../../design/notice.tsx";
import { ReadView } from "../../design/read-view.tsx";
import { TimeText } from "../../design/texts.tsx";
import { useWords } from "../../words/words.ts";
import { nextVoteAfter } from "./dso.ts";
import { NewVoteRequest } from "./new-vote-request.tsx";
import { RequestFacts } from "./request-facts.tsx";
import { VoteRefusal } from "./vote-refusal.tsx";
import { type CastVote, readVoteRequest } from "./vote-request.ts";
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
                  <OpenRequest contract={contract} dso={dso.data ?? null} />
                </li>
              ))}
            </ul>
          )}
        </ReadView>
      </Panel>
      <ReadView read={dso}>{(info) => <NewVoteRequest dso={info} />}</ReadView>
      <VoteResults />
    </>
  );
}

/** Each vote replaces the contract; the first one's id stays. */
function trackingIdOf({ contract_id, payload }: WireContract): string {
  const tracking: unknown = payload["trackingCid"];
  return typeof tracking === "string" ? tracking : contract_id;
}

function OpenRequest({ contract, dso }: { readonly contract: WireContract; readonly dso: DsoInfo | null }) {
  const words = useWords().operator.votes;
  const request = readVoteRequest(contract.payload);
  const mine = request.votes.find((vote) => vote.sv === dso?.sv_party_id);
  const nextVote = findNextVote(mine, dso);
  return (
    <>
      <RequestFacts request={request} />
      <p>
        {words.tally(
          request.votes.filter(({ isAccepted }) => isAccepted).length,
          request.votes.filter(({ isAccepted }) => !isAccepted).length,
          dso?.voting_threshold ?? null,
        )}
      </p>
      {mine === undefined ? null : <OwnVote vote={mine} nextVote={nextVote} />}
      <CastVoteForm id={contract.contract_id} nextVote={nextVote} />
    </>
  );
}

/** The time from which this SV may vote again; null if it has not voted. */
function findNextVote(vote: CastVote | undefined, dso: DsoInfo | null): string | null {
  if (vote?.castAt == null || dso === null) return null;
  return nextVoteAfter(vote.castAt, dso.dso_rules.contract.payload);
}

function OwnVote({ vote, nextVote }: { readonly vote: CastVote; readonly nextVote: string | null }) {
  const words = useWords().operator.votes;
  return (
    <p className="soft">
      {vote.isAccepted ? words.votedYes : words.votedNo}
      {nextVote === null ? null : (
        <>
          {" "}
          {words.changeableFrom} <TimeText time={nextVote} />
        </>
      )}
    </p>
  );
}

function CastVoteForm({ id, nextVote }: { readonly id: string; readonly nextVote: string | null }) {
  const words = useWords().operator.votes;
  const [reason, setReason] = useState("");
  const cast = useChange("sv", "POST /v0/admin/sv/votes");
  const vote = (is_accepted: boolean) =>
    cast.mutate({
      body: { vote_request_contract_id: id, is_accepted, reason_url: "", reason_description: reason },
    });
  return (
    <div className="form">
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
      {cast.error === null ? null : <VoteRefusal error={cast.error} nextVote={nextVote} />}
    </div>
  );
}
