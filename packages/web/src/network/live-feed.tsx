import type { NameChange } from "@callsign/api";
import { ActionButton } from "../design/action.tsx";
import { Panel } from "../design/layout.tsx";
import { Nothing, Notice } from "../design/notice.tsx";
import { NameLink, TimeText } from "../design/texts.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { useNameChanges } from "./use-name-changes.ts";

/** Names as they change, the newest first. */
export function LiveFeed() {
  const { network, shell } = useWords();
  const { changes, state, reconnect } = useNameChanges();
  return (
    <Panel
      title={network.feed}
      aside={
        <span className="live" data-state={state} role="status">
          {network.feedStates[state]}
        </span>
      }
    >
      {state === "closed" ? (
        <Notice kind="warn" title={network.feedClosed}>
          <p>{network.feedClosedAdvice}</p>
          <p>
            <ActionButton kind="quiet" size="small" onPress={reconnect}>
              {shell.retry}
            </ActionButton>
          </p>
        </Notice>
      ) : null}
      {changes.length === 0 ? (
        <Nothing title={network.feedEmpty}>
          <p>{network.feedEmptyAdvice}</p>
        </Nothing>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls the list.
        <ol className="feed" tabIndex={0} aria-label={network.feed}>
          {changes.map((change) => (
            <FeedItem key={`${change.offset} ${change.kind} ${change.name}`} change={change} />
          ))}
        </ol>
      )}
    </Panel>
  );
}

function FeedItem({ change }: { readonly change: NameChange }) {
  const { names } = useWords();
  const show = useFormat();
  return (
    <li>
      <NameLink name={change.name} />
      <span className="small soft">
        <TimeText time={change.record_time} shows="distance" />
      </span>
      <span className="feed-note small soft">
        {names.changes[change.kind]}
        {change.amulet === null ? "" : ` · ${show.coin(change.amulet, 4)}`}
      </span>
    </li>
  );
}
