import { useState } from "react";
import { useChange, useRead } from "../calls/use-calls.ts";
import { useWebConfig } from "../config/web-config.ts";
import { ActionButton } from "../design/action.tsx";
import { Field } from "../design/field.tsx";
import { Panel } from "../design/layout.tsx";
import { ErrorNotice, Nothing, Notice } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { Table } from "../design/table.tsx";
import { CopyButton, PartyText } from "../design/texts.tsx";
import { useWords } from "../words/words.ts";
import { useReaders } from "./ledger/use-readers.ts";
import "./developer.css";

/** LocalNet's users with their tokens, a token of any other user, and the users of this node's participant. */
export function UsersTab() {
  const { services } = useWebConfig();
  return (
    <>
      <NetworkUsers />
      <AnyToken />
      {services.ledger === null ? null : <ParticipantUsers />}
    </>
  );
}

function Token({ token, user }: { readonly token: string; readonly user: string }) {
  const { users: words } = useWords().developer;
  return (
    <span className="token">
      <code>{token}</code>
      <CopyButton text={token} label={words.copyToken(user)} />
    </span>
  );
}

function NetworkUsers() {
  const { users: words } = useWords().developer;
  const read = useRead("localNetwork", "GET /ext/v1/users", {});
  return (
    <Panel title={words.networkTitle}>
      <p className="soft">{words.networkLead}</p>
      <ReadView
        read={read}
        isEmpty={({ users }) => users.length === 0}
        empty={<Nothing title={words.none} />}
      >
        {({ users }) => (
          <Table
            caption={words.networkTitle}
            rows={users}
            keyOf={({ user }) => user}
            id="network-users"
            columns={[
              { title: words.user, cell: ({ user }) => user },
              { title: words.node, cell: ({ node }) => node ?? words.everyNode },
              { title: words.token, cell: ({ user, token }) => <Token user={user} token={token} /> },
            ]}
          />
        )}
      </ReadView>
    </Panel>
  );
}

function AnyToken() {
  const { users: words } = useWords().developer;
  const [user, setUser] = useState("");
  const make = useChange("localNetwork", "POST /ext/v1/users/{user}/token");
  return (
    <Panel title={words.anyTitle}>
      <p className="soft">{words.anyLead}</p>
      <form
        className="line-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (user.trim() !== "") make.mutate({ params: { user: user.trim() } });
        }}
      >
        <Field id="token-user" label={words.user} value={user} onChange={setUser} maxLength={128} />
        <ActionButton type="submit" kind="quiet" isPending={make.isPending} isDisabled={user.trim() === ""}>
          {words.make}
        </ActionButton>
      </form>
      {make.data === undefined ? null : (
        <Notice kind="good" title={words.tokenOf(make.variables.params.user)}>
          <Token user={make.variables.params.user} token={make.data.token} />
        </Notice>
      )}
      {make.error === null ? null : <ErrorNotice error={make.error} />}
    </Panel>
  );
}

function ParticipantUsers() {
  const { users: words } = useWords().developer;
  const read = useReaders();
  return (
    <Panel title={words.participantTitle}>
      <p className="soft">{words.participantLead}</p>
      <ReadView
        read={read}
        isEmpty={({ users }) => users.length === 0}
        empty={<Nothing title={words.none} />}
      >
        {({ users }) => (
          <Table
            caption={words.participantTitle}
            rows={users}
            keyOf={({ id }) => id}
            columns={[
              { title: words.user, cell: ({ id }) => id },
              {
                title: words.party,
                cell: ({ party }) =>
                  party === "" ? <span className="soft">—</span> : <PartyText party={party} />,
              },
              { title: words.rights, cell: ({ rights }) => (rights.length === 0 ? "—" : rights.join(", ")) },
            ]}
          />
        )}
      </ReadView>
    </Panel>
  );
}
