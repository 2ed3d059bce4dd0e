import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { CallError } from "../calls/call-error.ts";
import { useChange, useRead } from "../calls/use-calls.ts";
import { ActionButton } from "../design/action.tsx";
import { Field } from "../design/field.tsx";
import { Panel } from "../design/layout.tsx";
import { ErrorNotice, Nothing, Notice } from "../design/notice.tsx";
import { ReadView } from "../design/read-view.tsx";
import { Table } from "../design/table.tsx";
import { useFormat } from "../words/use-format.ts";
import { useWords } from "../words/words.ts";
import { isSnapshotName } from "./snapshot-name.ts";
import "./developer.css";

const PATIENCE = { patienceMilliseconds: 60_000 };

/** Snapshots of the whole network. Left out where the network has none. */
export function SnapshotsPanel() {
  const { snapshots: words } = useWords().developer;
  const read = useRead("localNetwork", "GET /ext/v1/snapshots", {});
  if (read.error instanceof CallError && read.error.status === 404) return null;
  return (
    <Panel title={words.title}>
      <p className="soft">{words.lead}</p>
      <SaveSnapshot />
      <ReadView
        read={read}
        isEmpty={({ snapshots }) => snapshots.length === 0}
        empty={<Nothing title={words.none}>{words.noneAdvice}</Nothing>}
      >
        {({ snapshots }) => <SnapshotTable rows={snapshots} />}
      </ReadView>
    </Panel>
  );
}

function SaveSnapshot() {
  const { snapshots: words } = useWords().developer;
  const [name, setName] = useState("");
  const save = useChange("localNetwork", "POST /ext/v1/snapshots", PATIENCE);
  const isWrong = name !== "" && !isSnapshotName(name);
  return (
    <>
      <form
        className="line-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isSnapshotName(name)) save.mutate({ body: { name } }, { onSuccess: () => setName("") });
        }}
      >
        <Field
          id="snapshot-name"
          label={words.name}
          value={name}
          onChange={setName}
          problem={isWrong ? words.wrongName : null}
          maxLength={60}
        />
        <ActionButton
          type="submit"
          kind="quiet"
          isPending={save.isPending}
          isDisabled={!isSnapshotName(name)}
        >
          {words.save}
        </ActionButton>
      </form>
      {save.isSuccess ? <Notice kind="good">{words.saved(save.data.name)}</Notice> : null}
      {save.error === null ? null : <ErrorNotice error={save.error} />}
    </>
  );
}

interface Row {
  readonly name: string;
  readonly savedAt: string;
  readonly time: string;
  readonly bytes: number;
}

function SnapshotTable({ rows }: { readonly rows: readonly Row[] }) {
  const { developer, shell } = useWords();
  const words = developer.snapshots;
  const format = useFormat();
  const client = useQueryClient();
  const restore = useChange("localNetwork", "POST /ext/v1/snapshots/{name}/restore", PATIENCE);
  const remove = useChange("localNetwork", "DELETE /ext/v1/snapshots/{name}", PATIENCE);
  const [asked, setAsked] = useState<string | null>(null);
  const isBusy = restore.isPending || remove.isPending;
  const putBack = (name: string) =>
    restore.mutate({ params: { name } }, { onSuccess: () => client.invalidateQueries() });
  return (
    <>
      <Table
        caption={words.title}
        rows={rows}
        keyOf={({ name }) => name}
        id="snapshots"
        columns={[
          { title: words.name, cell: ({ name }) => <span className="mono">{name}</span> },
          { title: words.savedAt, cell: ({ savedAt }) => format.time(savedAt) },
          { title: words.time, cell: ({ time }) => format.time(time) },
          { title: words.size, cell: ({ bytes }) => words.bytes(format.decimal(bytes / 1e6, 1)) },
          {
            title: words.actions,
            align: "end",
            cell: ({ name }) => (
              <span className="row">
                <ActionButton
                  kind="quiet"
                  size="small"
                  isDisabled={isBusy}
                  label={words.restoreName(name)}
                  onPress={() => putBack(name)}
                >
                  {words.restore}
                </ActionButton>
                <ActionButton
                  kind="danger"
                  size="small"
                  isDisabled={isBusy}
                  label={words.deleteName(name)}
                  onPress={() =>
                    asked === name
                      ? remove.mutate({ params: { name } }, { onSettled: () => setAsked(null) })
                      : setAsked(name)
                  }
                >
                  {asked === name ? words.sure : words.delete}
                </ActionButton>
                {asked === name ? (
                  <ActionButton kind="plain" size="small" onPress={() => setAsked(null)}>
                    {shell.cancel}
                  </ActionButton>
                ) : null}
              </span>
            ),
          },
        ]}
      />
      {restore.isSuccess ? <Notice kind="good">{words.restored(restore.data.name)}</Notice> : null}
      {restore.error === null ? null : <ErrorNotice error={restore.error} />}
      {remove.error === null ? null : <ErrorNotice error={remove.error} />}
    </>
  );
}
