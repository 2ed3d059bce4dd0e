import { useState } from "react";
import { useChange, useRead } from "../../calls/use-calls.ts";
import { ActionButton } from "../../design/action.tsx";
import { Field } from "../../design/field.tsx";
import { Panel } from "../../design/layout.tsx";
import { ErrorNotice, Nothing, Notice } from "../../design/notice.tsx";
import { ReadView } from "../../design/read-view.tsx";
import { Table } from "../../design/table.tsx";
import { PartyText } from "../../design/texts.tsx";
import { useWords } from "../../words/words.ts";
import { ChangeForm } from "../change-form.tsx";

/** Users with a wallet here: who they are, bringing one in, sending one away. */
export function ValidatorUsers() {
  return (
    <>
      <UserList />
      <NewUser />
    </>
  );
}

function UserList() {
  const words = useWords().operator.users;
  const read = useRead("validator", "GET /v0/admin/users", {});
  const offboard = useChange("validator", "POST /v0/admin/users/offboard");
  const [asked, setAsked] = useState<string | null>(null);
  const remove = (username: string) => {
    offboard.mutate({ query: { username } }, { onSettled: () => setAsked(null) });
  };
  return (
    <Panel title={words.title}>
      <p className="soft">{words.lead}</p>
      <ReadView
        read={read}
        isEmpty={({ usernames }) => usernames.length === 0}
        empty={<Nothing title={words.none} />}
      >
        {({ usernames }) => (
          <Table
            caption={words.title}
            rows={[...usernames].sort()}
            keyOf={(name) => name}
            columns={[
              { title: words.name, cell: (name) => name },
              {
                title: words.actions,
                align: "end",
                cell: (name) =>
                  asked === name ? (
                    <OffboardQuestion
                      name={name}
                      isPending={offboard.isPending}
                      onYes={() => remove(name)}
                      onNo={() => setAsked(null)}
                    />
                  ) : (
                    <ActionButton
                      kind="quiet"
                      size="small"
                      onPress={() => setAsked(name)}
                      label={words.offboardName(name)}
                    >
                      {words.offboard}
                    </ActionButton>
                  ),
              },
            ]}
          />
        )}
      </ReadView>
      {offboard.error === null ? null : <ErrorNotice error={offboard.error} />}
    </Panel>
  );
}

function OffboardQuestion({
  name,
  isPending,
  onYes,
  onNo,
}: {
  readonly name: string;
  readonly isPending: boolean;
  readonly onYes: () => void;
  readonly onNo: () => void;
}) {
  const { operator, shell } = useWords();
  return (
    <span className="row">
      <span>{operator.users.sure(name)}</span>
      <ActionButton kind="danger" size="small" isPending={isPending} onPress={onYes}>
        {operator.users.offboard}
      </ActionButton>
      <ActionButton kind="quiet" size="small" onPress={onNo}>
        {shell.cancel}
      </ActionButton>
    </span>
  );
}

function NewUser() {
  const words = useWords().operator.users;
  const [name, setName] = useState("");
  const [party, setParty] = useState("");
  const create = useChange("validator", "POST /v0/admin/users");
  const submit = () => {
    const party_id = party.trim() === "" ? null : party.trim();
    create.mutate(
      { body: { name: name.trim(), party_id, createPartyIfMissing: null } },
      { onSuccess: () => setName("") },
    );
  };
  return (
    <Panel title={words.newTitle}>
      <ChangeForm
        button={words.create}
        change={create}
        isReady={name.trim() !== ""}
        onSubmit={submit}
        done={
          create.data === undefined ? null : (
            <Notice kind="good" title={words.created(create.variables.body.name)}>
              <PartyText party={create.data.party_id} isWhole />
            </Notice>
          )
        }
      >
        <Field
          id="new-user-name"
          label={words.name}
          value={name}
          onChange={setName}
          hint={words.nameHint}
          maxLength={128}
        />
        <Field
          id="new-user-party"
          label={words.party}
          value={party}
          onChange={setParty}
          hint={words.partyHint}
        />
      </ChangeForm>
    </Panel>
  );
}
