import { useState } from "react";
import { useRead } from "../../calls/use-calls.ts";
import { Choice } from "../../design/field.tsx";
import { Panel } from "../../design/layout.tsx";
import { Badge, Nothing, type NoticeKind } from "../../design/notice.tsx";
import { ReadView } from "../../design/read-view.tsx";
import { TimeText } from "../../design/texts.tsx";
import { useWords } from "../../words/words.ts";
import { RequestFacts } from "./request-facts.tsx";
import { readVoteResult, type VoteOutcome } from "./vote-request.ts";

const PAGE = 50;
const WANTED = ["all", "accepted", "rejected"] as const;
const KINDS: Readonly<Record<VoteOutcome, NoticeKind>> = {
  accepted: "good",
  failed: "bad",
  rejected: "bad",
  expired: "plain",
  unknown: "plain",
};

/** The last votes that were closed. */
export function VoteResults() {
  const words = useWords().operator.votes;
  const [wanted, setWanted] = useState<(typeof WANTED)[number]>("all");
  const accepted = wanted === "all" ? null : wanted === "accepted";
  const body = { actionName: null, requester: null, effectiveFrom: null, effectiveTo: null };
  const read = useRead(
    "sv",
    "POST /v0/admin/sv/voteresults",
    { body: { ...body, accepted, limit: PAGE } },
    { keepsPrevious: true },
  );
  return (
    <Panel title={words.resultsTitle}>
      <div className="form">
        <Choice
          id="vote-results"
          label={words.outcome}
          value={wanted}
          onChange={setWanted}
          options={WANTED.map((value) => ({ value, label: words.wanted[value] }))}
        />
      </div>
      <ReadView
        read={read}
        isEmpty={({ dso_rules_vote_results }) => dso_rules_vote_results.length === 0}
        empty={<Nothing title={words.noResults} />}
      >
        {({ dso_rules_vote_results }) => (
          <ul>
            {dso_rules_vote_results.map(readVoteResult).map((result) => (
              <li key={`${result.completedAt} ${result.action} ${result.requester}`} className="vote">
                <p className="row">
                  <Badge kind={KINDS[result.outcome]}>{words.outcomes[result.outcome]}</Badge>
                  {result.completedAt === null ? null : <TimeText time={result.completedAt} />}
                </p>
                <RequestFacts request={result} />
              </li>
            ))}
          </ul>
        )}
      </ReadView>
    </Panel>
  );
}
