import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { useChange, useRead } from "../calls/use-calls.ts";
import { useWebConfig } from "../config/web-config.ts";
import { ActionButton } from "../design/action.tsx";
import { Field } from "../design/field.tsx";
import { Panel } from "../design/layout.tsx";
import { ErrorNotice, Nothing, Notice } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { type Column, Table } from "../design/table.tsx";
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
  return (
    <UserTable
      title={words.networkTitle}
      lead={words.networkLead}
      read={useRead("localNetwork", "GET /ext/v1/users", {})}
      keyOf={({ user }) => user}
      id="network-users"
      columns={[
        { title: words.user, cell: ({ user }) => user },
        { title: words.node, cell: ({ node }) => node ?? words.everyNode },
        { title: words.token, cell: ({ user, token }) => <Token user={user} token={token} /> },
      ]}
    />
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
  return (
    <UserTable
      title={words.participantTitle}
      lead={words.participantLead}
      read={useReaders()}
      keyOf={({ id }) => id}
      id="participant-users"
      columns={[
        { title: words.user, cell: ({ id }) => id },
        {
          title: words.party,
          cell: ({ party }) => (party === "" ? <span className="soft">—</span> : <PartyText party={party} />),
        },
        { title: words.rights, cell: ({ rights }) => (rights.length === 0 ? "—" : rights.join(", ")) },
      ]}
    />
  );
}

function UserTable<U>({
  title,
  lead,
  read,
  ...table
}: {
  readonly title: string;
  readonly lead: string;
  readonly read: UseQueryResult<{ readonly users: readonly U[] }>;
  readonly keyOf: (user: U) => string;
  readonly id: string;
  readonly columns: readonly Column<U>[];
}) {
  const { users: words } = useWords().developer;
  return (
    <Panel title={title}>
      <p className="soft">{lead}</p>
      <ReadView
        read={read}
        isEmpty={({ users }) => users.length === 0}
        empty={<Nothing title={words.none} />}
      >
        {({ users }) => <Table caption={title} rows={users} {...table} />}
      </ReadView>
    </Panel>
  );
}
