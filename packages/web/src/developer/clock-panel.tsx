import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useChange, useRead } from "../calls/use-calls.ts";
import { ActionButton } from "../design/action.tsx";
import { Field } from "../design/field.tsx";
import { Figure, Figures, Panel } from "../design/layout.tsx";
import { ErrorNotice, Notice } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { parseTimeSpan } from "../words/time-span.ts";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { progressOf } from "./move-progress.ts";
import "./developer.css";

const RESTING_MILLISECONDS = 5000;
const MOVING_MILLISECONDS = 1000;
/** A long move is answered after 20 seconds, before it is done. */
const MOVE_PATIENCE_MILLISECONDS = 40_000;
const HOUR_SECONDS = 3600;
const STEPS = [
  { name: "hour", seconds: HOUR_SECONDS },
  { name: "day", seconds: 24 * HOUR_SECONDS },
  { name: "month", seconds: 30 * 24 * HOUR_SECONDS },
] as const;

/** The network's time, and moves of it. A long move shows how far it has come. */
export function ClockPanel() {
  const { developer } = useWords();
  const words = developer.clock;
  const format = useFormat();
  const [isMoving, setMoving] = useState(false);
  const everyMilliseconds = isMoving ? MOVING_MILLISECONDS : RESTING_MILLISECONDS;
  const clock = useRead("localNetwork", "GET /ext/v1/clock", {}, { everyMilliseconds });
  const move = useChange("localNetwork", "POST /ext/v1/clock", {
    patienceMilliseconds: MOVE_PATIENCE_MILLISECONDS,
  });
  const underWay = clock.data?.move;
  const isUnderWay = move.isPending || (underWay !== undefined && underWay.failure === null);
  useEffect(() => setMoving(isUnderWay), [isUnderWay]);
  useFreshAnswersAfter(isUnderWay);
  const forward = (forwardSeconds: number) => move.mutate({ body: { forwardSeconds } });
  return (
    <Panel title={words.title}>
      <p className="soft">{words.lead}</p>
      <ReadView read={clock}>
        {({ time, move: shown }) => (
          <>
            <Figures>
              <Figure term={words.time} value={format.time(time)} id="network-time" />
            </Figures>
            {shown === undefined || shown.failure !== null ? null : (
              <div className="stack" role="status">
                <label htmlFor="clock-progress">{words.moving(format.time(shown.to))}</label>
                <progress id="clock-progress" max={1} value={progressOf(time, shown)} />
              </div>
            )}
            {shown === undefined || shown.failure === null ? null : (
              <Notice kind="bad" title={words.failed(format.time(shown.to))}>
                <p>{shown.failure}</p>
              </Notice>
            )}
          </>
        )}
      </ReadView>
      <div className="row">
        {STEPS.map(({ name, seconds }) => (
          <ActionButton
            key={name}
            kind="quiet"
            isDisabled={isUnderWay}
            onPress={() => forward(seconds)}
            id={`forward-${name}`}
          >
            {words.forward[name]}
          </ActionButton>
        ))}
      </div>
      <CustomMove isDisabled={isUnderWay} onMove={forward} />
      {move.error === null ? null : <ErrorNotice error={move.error} />}
    </Panel>
  );
}

function CustomMove({
  isDisabled,
  onMove,
}: {
  readonly isDisabled: boolean;
  readonly onMove: (seconds: number) => void;
}) {
  const { clock: words } = useWords().developer;
  const [text, setText] = useState("");
  const seconds = parseTimeSpan(text);
  return (
    <form
      className="line-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (seconds !== null) onMove(seconds);
      }}
    >
      <Field
        id="clock-span"
        label={words.custom}
        value={text}
        onChange={setText}
        hint={words.customHint}
        problem={text !== "" && seconds === null ? words.customWrong : null}
        placeholder="1d 12h"
      />
      <ActionButton type="submit" kind="quiet" isDisabled={isDisabled || seconds === null}>
        {words.move}
      </ActionButton>
    </form>
  );
}

/** Everything on the page is asked for again once a move is done: names expire, coin is minted. */
function useFreshAnswersAfter(isUnderWay: boolean): void {
  const client = useQueryClient();
  const wasUnderWay = useRef(false);
  useEffect(() => {
    if (wasUnderWay.current && !isUnderWay) void client.invalidateQueries();
    wasUnderWay.current = isUnderWay;
  }, [isUnderWay, client]);
}
