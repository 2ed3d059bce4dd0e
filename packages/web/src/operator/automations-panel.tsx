import type { WireAutomationStatus } from "@callsign/api";
import { useChange, useRead } from "../calls/use-calls.ts";
import { ActionButton } from "../design/action.tsx";
import { Panel } from "../design/layout.tsx";
import { Badge, ErrorNotice, Nothing, type NoticeKind } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { TimeText } from "../design/texts.tsx";
import { useWords } from "../words/words.ts";
import { type AutomationState, orderAutomations, stateOf } from "./automation-order.ts";
import "./operator.css";

const EVERY_MILLISECONDS = 5000;

const KINDS: Readonly<Record<AutomationState, NoticeKind>> = {
  stuck: "bad",
  waiting: "warn",
  working: "accent",
  paused: "plain",
  resting: "good",
};

export function AutomationsPanel({ service }: { readonly service: "sv" | "validator" }) {
  const { operator } = useWords();
  const read = useRead(service, "GET /v0/admin/automations", {}, { everyMilliseconds: EVERY_MILLISECONDS });
  return (
    <Panel title={operator.automations.title}>
      <p className="soft">
        {service === "sv" ? operator.automations.leadSv : operator.automations.leadValidator}
      </p>
      <ReadView
        read={read}
        isEmpty={({ automations }) => automations.length === 0}
        empty={<Nothing title={operator.automations.none} />}
      >
        {({ automations }) => (
          <ul className="automations">
            {orderAutomations(automations).map((each) => (
              <li key={each.automation}>
                <Automation service={service} status={each} />
              </li>
            ))}
          </ul>
        )}
      </ReadView>
    </Panel>
  );
}

function Automation({
  service,
  status,
}: {
  readonly service: "sv" | "validator";
  readonly status: WireAutomationStatus;
}) {
  const { operator } = useWords();
  const words = operator.automations;
  const pause = useChange(service, "POST /ext/v1/admin/automations/{automation}");
  const state = stateOf(status);
  const { automation, paused } = status;
  const act = () => pause.mutate({ params: { automation }, body: { paused: !paused } });
  return (
    <article className="automation" aria-label={automation}>
      <div className="automation-head">
        <h3 className="mono">{automation}</h3>
        <Badge kind={KINDS[state]}>{words.states[state]}</Badge>
        <ActionButton
          kind="quiet"
          size="small"
          onPress={act}
          isPending={pause.isPending}
          label={paused ? words.resumeName(automation) : words.pauseName(automation)}
        >
          {paused ? words.resume : words.pause}
        </ActionButton>
      </div>
      <p className="soft small numbers">
        {words.counts(status.done, status.failed, status.lost)}
        {status.last_done_at === null ? null : (
          <>
            {" · "}
            {words.lastDone} <TimeText time={status.last_done_at} shows="distance" />
          </>
        )}
        {status.next_due_at === null ? null : (
          <>
            {" · "}
            {words.nextDue} <TimeText time={status.next_due_at} shows="distance" />
          </>
        )}
      </p>
      <Waits status={status} />
      {pause.error === null ? null : <ErrorNotice error={pause.error} />}
    </article>
  );
}

/** The first few tasks that wait or keep failing, each with its reason. */
function Waits({ status: { waits, stuck, waiting } }: { readonly status: WireAutomationStatus }) {
  const { automations: words } = useWords().operator;
  if (waits.length === 0 && stuck.length === 0) return null;
  const stuckTasks = new Set(stuck.map(({ task }) => task));
  const others = waits.filter(({ task }) => !stuckTasks.has(task));
  const shown = stuck.length + others.length;
  return (
    <details open={stuck.length > 0}>
      <summary>{words.waiting(waiting)}</summary>
      <ul className="automation-waits">
        {stuck.map(({ task, failures, reason }) => (
          <li key={task}>
            <Badge kind="bad">{words.failures(failures)}</Badge> <span className="mono small">{task}</span>
            <p>{reason}</p>
          </li>
        ))}
        {others.map(({ task, for: cause, reason, details }) => (
          <li key={task}>
            <Badge kind="warn">{words.causes[cause]}</Badge> <span className="mono small">{task}</span>
            {reason === null ? null : <p>{reason}</p>}
            {details === null ? null : (
              <p className="soft small">
                {Object.entries(details)
                  .map(([name, value]) => `${name}: ${value}`)
                  .join(" · ")}
              </p>
            )}
          </li>
        ))}
      </ul>
      {waiting > shown ? <p className="soft small">{words.more(waiting - shown)}</p> : null}
    </details>
  );
}
