/** The APIs behind this host: their operations, each with an example and a form that sends it. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ServiceName } from "../../calls/call.ts";
import { useRead } from "../../calls/use-calls.ts";
import { useWebConfig } from "../../config/web-config.ts";
import { Choice, Field } from "../../design/field.tsx";
import { Panel } from "../../design/layout.tsx";
import { Nothing } from "../../design/notice.tsx";
import { ReadView } from "../../design/read-view.tsx";
import { useSession } from "../../login/session.ts";
import { useWords } from "../../words/words.ts";
import { readApiDocument } from "./api-calls.ts";
import { type ApiDocument, groupOperations } from "./api-document.ts";
import { OperationView } from "./operation-view.tsx";
import "../developer.css";

const DOCUMENTS: Readonly<Record<ServiceName, string>> = {
  validator: "validator",
  scan: "scan",
  sv: "sv",
  ledger: "ledger",
  localNetwork: "local-network",
};
const ORDER: readonly ServiceName[] = ["validator", "scan", "sv", "ledger", "localNetwork"];

export function ApiTab() {
  const { api: words } = useWords().developer;
  const { services } = useWebConfig();
  const offered = ORDER.filter((service) => services[service] !== null);
  const [service, setService] = useState<ServiceName>(offered[0] ?? "localNetwork");
  const base = services[service] ?? "";
  const document = useQuery({
    queryKey: ["api-document", service],
    queryFn: ({ signal }) => readApiDocument(`${base}/docs/${DOCUMENTS[service]}/openapi.json`, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
      <Panel title={words.title}>
        <p className="soft">{words.lead}</p>
        <div className="columns">
          <Choice
            id="api-service"
            label={words.service}
            value={service}
            onChange={setService}
            options={offered.map((value) => ({ value, label: words.services[value] }))}
          />
        </div>
        <p>
          <a href={`${base}/docs`}>{words.plainPage}</a>
          {" · "}
          <a href={`${base}/docs/${DOCUMENTS[service]}/openapi.json`}>{words.document}</a>
        </p>
      </Panel>
      <ReadView read={document} waiting={words.waiting}>
        {(read) => <Operations key={service} document={read} base={base} />}
      </ReadView>
    </>
  );
}

function Operations({ document, base }: { readonly document: ApiDocument; readonly base: string }) {
  const { api: words } = useWords().developer;
  const [sought, setSought] = useState("");
  const [user, setUser] = useState("");
  const users = useRead("localNetwork", "GET /ext/v1/users", {});
  const listed = users.data?.users ?? [];
  const session = useSession();
  const me = session.kind === "in" ? session.session.user : "";
  const wanted = user === "" ? me : user;
  const chosen = listed.find((each) => each.user === wanted) ?? listed[0];
  const groups = groupOperations(document, sought);
  return (
    <Panel title={document.info.title}>
      <p className="soft">{document.info.description}</p>
      <div className="columns">
        <Field id="api-search" label={words.search} value={sought} onChange={setSought} type="search" />
        <Choice
          id="api-user"
          label={words.as}
          value={chosen?.user ?? ""}
          onChange={setUser}
          options={listed.map((each) => ({ value: each.user, label: each.user }))}
        />
      </div>
      {groups.length === 0 ? <Nothing title={words.none} /> : null}
      {groups.map(({ tag, operations }, place) => (
        <details key={tag.name} className="item" open={place === 0 || sought !== ""}>
          <summary>
            <span className="item-head">
              <strong>{tag.name}</strong>
              <span className="soft small">
                {words.count(operations.length)} · {tag.description}
              </span>
            </span>
          </summary>
          <div className="operations">
            {operations.map((listedOperation) => (
              <OperationView
                key={`${listedOperation.method} ${listedOperation.path}`}
                listed={listedOperation}
                document={document}
                base={base}
                token={chosen?.token ?? null}
              />
            ))}
          </div>
        </details>
      ))}
    </Panel>
  );
}
