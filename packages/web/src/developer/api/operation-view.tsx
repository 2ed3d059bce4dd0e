import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ActionButton } from "../../design/action.tsx";
import { Field } from "../../design/field.tsx";
import { Badge, ErrorNotice, type NoticeKind } from "../../design/notice.tsx";
import { CopyButton } from "../../design/texts.tsx";
import { useFormat } from "../../words/use-format.ts";
import { useWords } from "../../words/words.ts";
import { type CallResult, sendComposed } from "./api-calls.ts";
import {
  type ApiDocument,
  type ListedOperation,
  makeCallPath,
  makeCurl,
  makeExample,
  schemaOf,
} from "./api-document.ts";
import { CodeBlock } from "./code-block.tsx";

interface OperationProps {
  readonly listed: ListedOperation;
  readonly document: ApiDocument;
  readonly base: string;
  readonly token: string | null;
}

const KINDS: Readonly<Record<string, NoticeKind>> = { GET: "good", DELETE: "bad" };

/** One operation, closed until it is wanted. */
export function OperationView(props: OperationProps) {
  const { listed } = props;
  const { api: words } = useWords().developer;
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="operation" onToggle={(toggle) => setOpen(toggle.currentTarget.open)}>
      <summary>
        <span className="item-head">
          <Badge kind={KINDS[listed.method] ?? "accent"}>{listed.method}</Badge>
          <code>{listed.path}</code>
          <span className="soft">{listed.operation.summary}</span>
          {listed.operation.deprecated === true ? <Badge kind="warn">{words.deprecated}</Badge> : null}
        </span>
      </summary>
      {isOpen ? <OperationBody {...props} /> : null}
    </details>
  );
}

function OperationBody({ listed, document, base, token }: OperationProps) {
  const { api: words } = useWords().developer;
  const { operation, method } = listed;
  const schema = schemaOf(operation.requestBody);
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [body, setBody] = useState(() =>
    schema === null ? "" : JSON.stringify(makeExample(schema, document), null, 2),
  );
  const send = useMutation({ mutationFn: sendComposed });
  const isOpen = operation.security?.length === 0;
  const address = base + makeCallPath(listed, values);
  const sent = schema === null || body.trim() === "" ? null : body;
  const command = makeCurl({ method, url: location.origin + address, body: sent, isOpen });
  return (
    <form
      className="item-body"
      onSubmit={(event) => {
        event.preventDefault();
        send.mutate({ method, address, body: sent, token: isOpen ? null : token });
      }}
    >
      {(operation.description ?? "").split("\n\n").map((text) => (
        <p key={text}>{text}</p>
      ))}
      {(operation.parameters ?? []).map(({ name, in: place, required, description }) => (
        <Field
          key={name}
          label={`${name} (${words.places[place]}${required === true ? `, ${words.required}` : ""})`}
          value={values[name] ?? ""}
          onChange={(value) => setValues({ ...values, [name]: value })}
          {...(description === undefined ? {} : { hint: description })}
        />
      ))}
      {schema === null ? null : <Field label={words.body} value={body} onChange={setBody} isMultiline />}
      <div>
        <p className="soft small">
          {words.command} <CopyButton text={command} label={words.copyCommand} />
        </p>
        <CodeBlock label={words.command} text={command} />
      </div>
      <div>
        <ActionButton type="submit" size="small" isPending={send.isPending}>
          {words.send}
        </ActionButton>
      </div>
      {send.data === undefined ? null : <Answer result={send.data} />}
      {send.error === null ? null : <ErrorNotice error={send.error} />}
      <Answers listed={listed} document={document} />
    </form>
  );
}

function Answer({ result: { status, milliseconds, text, isCut } }: { readonly result: CallResult }) {
  const { api: words } = useWords().developer;
  const format = useFormat();
  return (
    <div role="status">
      <p>
        <Badge kind={status < 300 ? "good" : "bad"}>{status}</Badge>{" "}
        <span className="soft small">{words.took(format.decimal(milliseconds))}</span>
      </p>
      {text === "" ? null : <CodeBlock label={words.answer} text={text} />}
      {isCut ? <p className="soft small">{words.cut}</p> : null}
    </div>
  );
}

/** The statuses of the operation's answers, with an example of its success. */
function Answers({ listed, document }: Pick<OperationProps, "listed" | "document">) {
  const { api: words } = useWords().developer;
  const { responses } = listed.operation;
  return (
    <details>
      <summary>{words.answers}</summary>
      <ul className="stack">
        {Object.entries(responses).map(([status, response]) => {
          const schema = schemaOf(response);
          return (
            <li key={status}>
              <Badge kind={status.startsWith("2") ? "good" : "plain"}>{status}</Badge>{" "}
              <span className="soft">{response.description}</span>
              {schema === null || !status.startsWith("2") ? null : (
                <CodeBlock
                  label={words.exampleOf(status)}
                  text={JSON.stringify(makeExample(schema, document), null, 2)}
                />
              )}
            </li>
          );
        })}
      </ul>
    </details>
  );
}
