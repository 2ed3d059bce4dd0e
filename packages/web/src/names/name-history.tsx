import type { NameChange } from "@callsign/api";
import { Panel } from "../design/layout.tsx";
import { MoreButton } from "../design/more-button.tsx";
import { Nothing } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { PartyText, TimeText } from "../design/texts.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { useNameHistory } from "./use-names.ts";

/** The changes of a name, the earliest first. */
export function NameHistory({ name }: { readonly name: string }) {
  const { names } = useWords();
  const show = useFormat();
  const pages = useNameHistory(name);
  return (
    <Panel title={names.history}>
      <ReadView
        read={pages.read}
        waiting={names.listing}
        isEmpty={([first]) => first?.changes.length === 0}
        empty={
          <Nothing title={names.noHistory}>
            <p>{names.noHistoryAdvice}</p>
          </Nothing>
        }
      >
        {(read) => (
          <>
            <ol className="timeline">
              {read
                .flatMap(({ changes }) => changes)
                .map((change) => (
                  <Change key={`${change.offset} ${change.kind}`} change={change} />
                ))}
            </ol>
            <MoreButton pages={pages} />
            {read[0]?.complete_from == null ? null : (
              <p className="small soft">{names.completeFrom(show.time(read[0].complete_from))}</p>
            )}
          </>
        )}
      </ReadView>
    </Panel>
  );
}

function Change({ change }: { readonly change: NameChange }) {
  const { names } = useWords();
  const show = useFormat();
  const { usd, amulet } = change;
  const price = [usd === null ? [] : show.usd(usd), amulet === null ? [] : show.coin(amulet, 4)].flat();
  return (
    <li data-kind={change.kind}>
      <div className="timeline-head">
        <strong>{names.changes[change.kind]}</strong>
        <span className="small soft">
          <TimeText time={change.record_time} shows="time" />
        </span>
      </div>
      <div className="small">
        <PartyText party={change.owner} />
      </div>
      {price.length === 0 ? null : <div className="small soft numbers">{price.join(" · ")}</div>}
      {change.expires_at === null || change.kind === "expired" ? null : (
        <div className="small soft">
          {names.until} <TimeText time={change.expires_at} shows="time" />
        </div>
      )}
    </li>
  );
}
