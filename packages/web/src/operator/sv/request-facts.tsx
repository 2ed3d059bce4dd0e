import { Fact, Facts } from "../../design/layout.tsx";
import { Badge } from "../../design/notice.tsx";
import { OthersLink, TimeText } from "../../design/texts.tsx";
import { useWords } from "../../words/words.ts";
import type { VoteRequestShown } from "./vote-request.ts";

export function RequestFacts({ request }: { readonly request: VoteRequestShown }) {
  const words = useWords().operator.votes;
  return (
    <>
      <h3 className="mono">{request.action}</h3>
      <Facts>
        <Fact term={words.requester}>{request.requester}</Fact>
        <Fact term={words.reason}>
          {request.reason}
          {request.url === "" ? null : (
            <>
              {request.reason === "" ? "" : " "}
              <OthersLink url={request.url} />
            </>
          )}
        </Fact>
        {request.voteBefore === null ? null : (
          <Fact term={words.voteBefore}>
            <TimeText time={request.voteBefore} />
          </Fact>
        )}
        <Fact term={words.effective}>
          {request.effectiveAt === null ? words.atOnce : <TimeText time={request.effectiveAt} />}
        </Fact>
        <Fact term={words.votes}>
          <ul className="row">
            {request.votes.map(({ name, isAccepted }) => (
              <li key={name}>
                <Badge kind={isAccepted ? "good" : "bad"}>
                  {name}: {isAccepted ? words.yes : words.no}
                </Badge>
              </li>
            ))}
          </ul>
        </Fact>
      </Facts>
      <details>
        <summary>{words.details}</summary>
        <pre>{JSON.stringify(request.argument, null, 2)}</pre>
      </details>
    </>
  );
}
