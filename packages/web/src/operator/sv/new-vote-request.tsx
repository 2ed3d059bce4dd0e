import { useState } from "react";
import { useChange } from "../../calls/use-calls.ts";
import { ActionButton } from "../../design/action.tsx";
import { Choice, Field } from "../../design/field.tsx";
import { Panel } from "../../design/layout.tsx";
import { ErrorNotice, Notice } from "../../design/notice.tsx";
import { useFormat } from "../../words/use-format.ts";
import { useWords } from "../../words/words.ts";
import { makeAction, REQUEST_KINDS, type RequestKind } from "./vote-request.ts";

const HOUR_MILLISECONDS = 3_600_000;
const TIMES = ["1", "24", "168"] as const;

/** Asks the SVs for a vote. The price of the coin needs none: each SV has a standing vote on it. */
export function NewVoteRequest({ requester }: { readonly requester: string | null }) {
  const words = useWords().operator.votes;
  const format = useFormat();
  const [kind, setKind] = useState<RequestKind>("SRARC_GrantFeaturedAppRight");
  const [subject, setSubject] = useState("");
  const [reason, setReason] = useState("");
  const [url, setUrl] = useState("");
  const [hours, setHours] = useState<(typeof TIMES)[number]>("168");
  const create = useChange("sv", "POST /v0/admin/sv/voterequest/create");
  const action = makeAction(kind, subject);
  const submit = () => {
    if (action === null || requester === null) return;
    const microseconds = String(BigInt(hours) * BigInt(HOUR_MILLISECONDS) * 1000n);
    create.mutate({
      body: { requester, action, url, description: reason, expiration: { microseconds } } as Parameters<
        typeof create.mutate
      >[0]["body"],
    });
  };
  return (
    <Panel title={words.newTitle}>
      <p className="soft">{words.newLead}</p>
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Choice
          id="vote-kind"
          label={words.kind}
          value={kind}
          onChange={setKind}
          options={REQUEST_KINDS.map((value) => ({ value, label: words.kinds[value] }))}
        />
        <Field
          id="vote-subject"
          label={words.subjects[kind]}
          value={subject}
          onChange={setSubject}
          hint={words.subjectHints[kind]}
          isMultiline={kind === "other"}
          problem={subject !== "" && action === null ? words.notJson : null}
        />
        <Field id="vote-reason" label={words.reason} value={reason} onChange={setReason} maxLength={1000} />
        <Field id="vote-url" label={words.url} value={url} onChange={setUrl} type="url" inputMode="url" />
        <Choice
          id="vote-time"
          label={words.time}
          value={hours}
          onChange={setHours}
          options={TIMES.map((value) => ({
            value,
            label: format.length(Number(value) * HOUR_MILLISECONDS),
          }))}
        />
        <div>
          <ActionButton
            type="submit"
            isPending={create.isPending}
            isDisabled={action === null || requester === null}
          >
            {words.ask}
          </ActionButton>
        </div>
      </form>
      {create.isSuccess ? <Notice kind="good">{words.asked}</Notice> : null}
      {create.error === null ? null : <ErrorNotice error={create.error} />}
    </Panel>
  );
}
