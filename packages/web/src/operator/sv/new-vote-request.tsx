import type { DsoInfo } from "@callsign/api";
import { useState } from "react";
import { useChange } from "../../calls/use-calls.ts";
import { Choice, Field } from "../../design/field.tsx";
import { Panel } from "../../design/layout.tsx";
import { Notice } from "../../design/notice.tsx";
import { useFormat } from "../../words/use-format.ts";
import { useWords } from "../../words/words.ts";
import { ChangeForm } from "../change-form.tsx";
import { listSvs, readCoinConfig, readDsoConfig } from "./dso.ts";
import { ChangeList } from "./proposals/change-list.tsx";
import { NO_FIELDS, PROPOSAL_KINDS, type ProposalKind, propose } from "./proposals/proposal.ts";
import { ProposalForm } from "./proposals/proposal-form.tsx";

const HOUR_MILLISECONDS = 3_600_000;
const TIMES = ["1", "24", "168"] as const;

/** Asks the SVs for a vote. The price of the coin needs none: each SV has a standing vote on it. */
export function NewVoteRequest({ dso }: { readonly dso: DsoInfo }) {
  const words = useWords().operator.votes;
  const format = useFormat();
  const [kind, setKind] = useState<ProposalKind>("CRARC_SetConfig");
  const [fields, setFields] = useState(NO_FIELDS);
  const [reason, setReason] = useState("");
  const [url, setUrl] = useState("");
  const [hours, setHours] = useState<(typeof TIMES)[number]>("168");
  const create = useChange("sv", "POST /v0/admin/sv/voterequest/create");
  const facts = {
    coinConfig: readCoinConfig(dso.amulet_rules.contract.payload),
    dsoConfig: readDsoConfig(dso.dso_rules.contract.payload),
    svs: listSvs(dso.dso_rules.contract.payload),
  };
  const { action, changes } = propose(kind, fields, facts);
  const submit = () => {
    if (action === null) return;
    const microseconds = String(BigInt(hours) * BigInt(HOUR_MILLISECONDS) * 1000n);
    const body = {
      ...{ requester: dso.sv_party_id, action, url, description: reason, expiration: { microseconds } },
    } as Parameters<typeof create.mutate>[0]["body"];
    create.mutate({ body }, { onSuccess: () => setFields(NO_FIELDS) });
  };
  return (
    <Panel title={words.newTitle}>
      <p className="soft">{words.newLead}</p>
      <ChangeForm
        button={words.ask}
        buttonId="ask-for-vote"
        change={create}
        isReady={action !== null}
        onSubmit={submit}
        done={create.isSuccess ? <Notice kind="good">{words.asked}</Notice> : null}
      >
        <Choice
          id="vote-kind"
          label={words.kind}
          value={kind}
          onChange={(chosen) => {
            setKind(chosen);
            setFields(NO_FIELDS);
          }}
          options={PROPOSAL_KINDS.map((value) => ({ value, label: words.kinds[value] }))}
        />
        <ProposalForm
          kind={kind}
          facts={facts}
          fields={fields}
          set={(change) => setFields((before) => ({ ...before, ...change }))}
          isComplete={action !== null}
        />
        <ChangeList changes={changes} />
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
      </ChangeForm>
    </Panel>
  );
}
