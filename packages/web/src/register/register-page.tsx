import { type FormEvent, useState } from "react";
import { useLocation, useParams } from "wouter";
import { useChange, useRead } from "../calls/use-calls.ts";
import { useWebConfig } from "../config/web-config.ts";
import { ActionButton } from "../design/action.tsx";
import { Field } from "../design/field.tsx";
import { Page, Panel } from "../design/layout.tsx";
import { ErrorNotice } from "../design/notice.tsx";
import { useSettled } from "../names/use-settled.ts";
import { useWords } from "../words/words.ts";
import { findLabelProblem, labelOf, suffixOf } from "./name-label.ts";
import { NameVerdict } from "./name-verdict.tsx";
import { OpenRequests } from "./open-requests.tsx";
import { WalletGate } from "./wallet-gate.tsx";

const REST_MILLISECONDS = 250;
const MAX_URL = 255;
const MAX_DESCRIPTION = 140;

/** `/register` and `/register/:name`: choose a name that is free, and ask for it. Paying is the next page. */
export function RegisterPage() {
  const { register } = useWords();
  return (
    <WalletGate title={register.title}>
      <Page title={register.title} lead={register.lead} width="narrow">
        <RegisterForm />
        <OpenRequests />
      </Page>
    </WalletGate>
  );
}

function RegisterForm() {
  const { register } = useWords();
  const { nameServiceAcronym } = useWebConfig().names;
  const suffix = suffixOf(nameServiceAcronym);
  const { name: given = "" } = useParams<{ name?: string }>();
  const [typed, setTyped] = useState(labelOf(given, suffix));
  const label = labelOf(typed, suffix);
  const rested = useSettled(label, REST_MILLISECONDS);
  const problem = findLabelProblem(label, suffix);
  const isChecked = rested === label && label !== "" && problem === null;
  const check = useRead(
    "validator",
    "GET /v0/scan-proxy/ext/v1/names/{name}/availability",
    { params: { name: rested + suffix } },
    { isWanted: isChecked },
  );
  return (
    <Panel title={register.choose.title}>
      <Field
        id="entry-name-field"
        label={register.choose.label}
        value={typed}
        onChange={setTyped}
        end={suffix}
        hint={register.choose.hint}
        problem={problem === null ? null : register.choose.problems(problem)}
        autoFocus
      />
      {label === "" || problem !== null ? null : (
        <NameVerdict name={label + suffix} check={check} isChecked={isChecked} />
      )}
      {isChecked && check.data?.available === true ? <EntryForm key={label} name={label + suffix} /> : null}
    </Panel>
  );
}

/** Url and description are optional. The request costs nothing before it is paid. */
function EntryForm({ name }: { readonly name: string }) {
  const { register } = useWords();
  const [, navigate] = useLocation();
  const [url, setUrl] = useState("");
  const [description, setDescription] = useState("");
  const create = useChange("validator", "POST /v0/entry/create");
  const urlProblem = findUrlProblem(url.trim());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (urlProblem !== null || create.isPending) return;
    create.mutate(
      { body: { name, url: url.trim(), description: description.trim() } },
      {
        onSuccess: ({ subscriptionRequestCid }) => navigate(`/register/request/${subscriptionRequestCid}`),
      },
    );
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Field
        label={register.choose.url}
        value={url}
        onChange={setUrl}
        hint={register.choose.urlHint}
        problem={urlProblem === null ? null : register.choose.urlProblems[urlProblem]}
        inputMode="url"
        placeholder="https://"
        maxLength={MAX_URL}
      />
      <Field
        label={register.choose.description}
        value={description}
        onChange={setDescription}
        hint={register.choose.descriptionHint(MAX_DESCRIPTION - description.length)}
        maxLength={MAX_DESCRIPTION}
        isMultiline
      />
      {create.error === null ? null : <ErrorNotice error={create.error} />}
      <div>
        <ActionButton
          type="submit"
          id="request-entry-with-sub-button"
          isPending={create.isPending}
          isDisabled={urlProblem !== null}
        >
          {create.isPending ? register.choose.asking : register.choose.ask}
        </ActionButton>
      </div>
      <p className="soft">{register.choose.nextStep}</p>
    </form>
  );
}

/** The server checks the rest: this is for answers while one types. */
function findUrlProblem(url: string): "scheme" | "malformed" | null {
  if (url === "") return null;
  if (!/^https?:\/\//i.test(url)) return "scheme";
  return URL.canParse(url) && !/\s/.test(url) ? null : "malformed";
}
