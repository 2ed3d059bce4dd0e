import type { ScanBehaviour } from "@callsign/api";
import { useChange, useRead } from "../calls/use-calls.ts";
import { Choice } from "../design/field.tsx";
import { Panel } from "../design/layout.tsx";
import { Badge, ErrorNotice, Nothing } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { useWords } from "../words/words.ts";
import "./developer.css";

const BEHAVIOURS: readonly ScanBehaviour[] = ["honest", "lie", "lag", "hang", "error", "stop"];

/** Each scan with its behaviour, which takes effect with its next call. */
export function ScansPanel() {
  const { scans: words } = useWords().developer;
  const read = useRead("localNetwork", "GET /ext/v1/scans", {});
  return (
    <Panel title={words.title}>
      <p className="soft">{words.lead}</p>
      <ReadView
        read={read}
        isEmpty={({ scans }) => scans.length === 0}
        empty={<Nothing title={words.none} />}
      >
        {({ scans }) => (
          <ul className="columns">
            {scans.map(({ number, behaviour }) => (
              <li key={number}>
                <Scan number={number} behaviour={behaviour} />
              </li>
            ))}
          </ul>
        )}
      </ReadView>
    </Panel>
  );
}

function Scan({ number, behaviour }: { readonly number: number; readonly behaviour: ScanBehaviour }) {
  const { scans: words } = useWords().developer;
  const set = useChange("localNetwork", "POST /ext/v1/scans/{number}");
  const shown = set.isPending ? set.variables.body.behaviour : behaviour;
  return (
    <div className="stack">
      <Choice
        id={`scan-${number}`}
        label={words.name(number)}
        value={shown}
        options={BEHAVIOURS.map((value) => ({ value, label: words.behaviours[value] }))}
        onChange={(chosen) => set.mutate({ params: { number: String(number) }, body: { behaviour: chosen } })}
      />
      <p className="soft small">
        <Badge kind={shown === "honest" ? "good" : "warn"}>{words.behaviours[shown]}</Badge>{" "}
        {words.effects[shown]}
      </p>
      {set.error === null ? null : <ErrorNotice error={set.error} />}
    </div>
  );
}
