import { Fact, Facts } from "../../design/layout.tsx";
import { Badge } from "../../design/notice.tsx";
import { OthersLink, PartyText, TimeText } from "../../design/texts.tsx";
import { useWords } from "../../words/words.ts";
import { ChangeList } from "./proposals/change-list.tsx";
import { listChanges } from "./proposals/value-changes.ts";
import { readArgument, type VoteRequestShown } from "./vote-request.ts";

export function RequestFacts({ request }: { readonly request: VoteRequestShown }) {
  const words = useWords().operator.votes;
  const titles: Readonly<Record<string, string>> = words.kinds;
  const title = titles[request.action];
  return (
    <>
      <h3>
        {title === undefined ? null : <>{title} </>}
        <code className="soft small">{request.action}</code>
      </h3>
      <ArgumentFacts argument={request.argument} />
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
          {request.reason === "" && request.url === "" ? words.noValue : null}
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

/** The subject of the action: the values that it changes, or the party that it is about. */
function ArgumentFacts({ argument }: { readonly argument: unknown }) {
  const words = useWords().operator.votes;
  const { baseConfig, newConfig, party, weight } = readArgument(argument);
  if (newConfig !== null && baseConfig !== null)
    return <ChangeList changes={listChanges(baseConfig, newConfig)} />;
  if (party === null) return null;
  return (
    <Facts>
      <Fact term={words.about}>
        <PartyText party={party} />
      </Fact>
      {weight === null ? null : <Fact term={words.weight}>{weight}</Fact>}
    </Facts>
  );
}
