/** How validators come in: secrets, what became of them, and the licenses of those that are in. */
import type { OnboardingRecord } from "@callsign/api";
import { useState } from "react";
import { useChange, useRead } from "../../calls/use-calls.ts";
import { ActionButton } from "../../design/action.tsx";
import { Choice, Field } from "../../design/field.tsx";
import { Panel } from "../../design/layout.tsx";
import { Badge, ErrorNotice, Nothing, Notice } from "../../design/notice.tsx";
import { ReadView } from "../../design/read-view.tsx";
import { Table } from "../../design/table.tsx";
import { CopyButton, PartyText, TimeText } from "../../design/texts.tsx";
import { useFormat } from "../../words/use-format.ts";
import { useWords } from "../../words/words.ts";
import { ChangeForm } from "../change-form.tsx";
import { SvLicenses } from "./sv-licenses.tsx";

const HOUR_SECONDS = 3600;
const LIFETIMES = ["1", "4", "24", "48"] as const;
const STATES = ["all", "unused", "used", "expired"] as const;
const PAGE = 100;

export function SvValidators() {
  return (
    <>
      <NewSecret />
      <UnusedSecrets />
      <SecretRecords />
      <SvLicenses />
    </>
  );
}

function NewSecret() {
  const { operator } = useWords();
  const format = useFormat();
  const words = operator.secrets;
  const [hours, setHours] = useState<(typeof LIFETIMES)[number]>("24");
  const [hint, setHint] = useState("");
  const prepare = useChange("sv", "POST /v0/admin/validator/onboarding/prepare");
  const submit = () => {
    const party_hint = hint.trim() === "" ? null : hint.trim();
    prepare.mutate({ body: { expires_in: Number(hours) * HOUR_SECONDS, party_hint } });
  };
  return (
    <Panel title={words.newTitle}>
      <p className="soft">{words.newLead}</p>
      <ChangeForm
        button={words.make}
        buttonId="make-secret"
        change={prepare}
        onSubmit={submit}
        done={
          prepare.data === undefined ? null : (
            <Notice kind="good" title={words.made}>
              <p className="secret">
                <code id="new-secret">{prepare.data.secret}</code>
                <CopyButton text={prepare.data.secret} label={words.copy} />
              </p>
            </Notice>
          )
        }
      >
        <Choice
          id="secret-lifetime"
          label={words.lifetime}
          value={hours}
          onChange={setHours}
          options={LIFETIMES.map((value) => ({
            value,
            label: format.length(Number(value) * HOUR_SECONDS * 1000),
          }))}
        />
        <Field
          id="secret-party-hint"
          label={words.hint}
          value={hint}
          onChange={setHint}
          hint={words.hintHint}
          maxLength={200}
        />
      </ChangeForm>
    </Panel>
  );
}

function UnusedSecrets() {
  const words = useWords().operator.secrets;
  const read = useRead("sv", "GET /v0/admin/validator/onboarding/ongoing", {}, { everyMilliseconds: 10_000 });
  const withdraw = useChange("sv", "POST /v0/admin/validator/onboarding/withdraw");
  return (
    <Panel title={words.unusedTitle}>
      <ReadView
        read={read}
        isEmpty={({ ongoing_validator_onboardings }) => ongoing_validator_onboardings.length === 0}
        empty={<Nothing title={words.noneUnused}>{words.noneUnusedAdvice}</Nothing>}
      >
        {({ ongoing_validator_onboardings }) => (
          <Table
            caption={words.unusedTitle}
            rows={ongoing_validator_onboardings}
            keyOf={({ contract }) => contract.contract_id}
            columns={[
              {
                title: words.secret,
                cell: ({ encoded_secret }) => (
                  <span className="secret">
                    <code>{shorten(encoded_secret)}</code>
                    <CopyButton text={encoded_secret} label={words.copy} />
                  </span>
                ),
              },
              { title: words.hint, cell: ({ party_hint }) => party_hint ?? words.anyHint },
              {
                title: words.expires,
                cell: ({ contract }) => {
                  const expires: unknown = contract.payload["expiresAt"];
                  return typeof expires === "string" ? <TimeText time={expires} /> : null;
                },
              },
              {
                title: words.actions,
                align: "end",
                cell: ({ contract: { contract_id } }) => (
                  <ActionButton
                    kind="danger"
                    size="small"
                    isPending={withdraw.isPending && withdraw.variables.body.contract_id === contract_id}
                    onPress={() => withdraw.mutate({ body: { contract_id } })}
                  >
                    {words.withdraw}
                  </ActionButton>
                ),
              },
            ]}
          />
        )}
      </ReadView>
      {withdraw.error === null ? null : <ErrorNotice error={withdraw.error} />}
    </Panel>
  );
}

function shorten(secret: string): string {
  return secret.length <= 24 ? secret : `${secret.slice(0, 20)}…`;
}

function SecretRecords() {
  const words = useWords().operator.secrets;
  const [state, setState] = useState<(typeof STATES)[number]>("all");
  const read = useRead(
    "sv",
    "GET /v0/admin/validator/onboarding/all",
    { query: { ...(state === "all" ? {} : { state }), limit: PAGE } },
    { keepsPrevious: true },
  );
  return (
    <Panel title={words.allTitle}>
      <div className="form">
        <Choice
          id="secret-state"
          label={words.state}
          value={state}
          onChange={setState}
          options={STATES.map((value) => ({ value, label: words.states[value] }))}
        />
      </div>
      <ReadView
        read={read}
        isEmpty={({ validator_onboardings }) => validator_onboardings.length === 0}
        empty={<Nothing title={words.none} />}
      >
        {({ validator_onboardings }) => <RecordTable rows={validator_onboardings} />}
      </ReadView>
    </Panel>
  );
}

function RecordTable({ rows }: { readonly rows: readonly OnboardingRecord[] }) {
  const words = useWords().operator.secrets;
  const kinds = { unused: "accent", used: "good", expired: "plain" } as const;
  return (
    <Table
      caption={words.allTitle}
      rows={rows}
      keyOf={({ contract_id }) => contract_id}
      columns={[
        { title: words.fingerprint, cell: ({ fingerprint }) => <code>{fingerprint}</code> },
        {
          title: words.state,
          cell: ({ state }) => <Badge kind={kinds[state]}>{words.states[state]}</Badge>,
        },
        { title: words.made, cell: ({ made_at }) => <TimeText time={made_at} shows="time" /> },
        { title: words.expires, cell: ({ expires_at }) => <TimeText time={expires_at} /> },
        {
          title: words.usedBy,
          cell: ({ used_by }) =>
            used_by === null ? <span className="soft">—</span> : <PartyText party={used_by} />,
        },
      ]}
    />
  );
}
