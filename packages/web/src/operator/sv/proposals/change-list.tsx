import { Table } from "../../../design/table.tsx";
import { shortenParty } from "../../../design/texts.tsx";
import { useFormat } from "../../../words/use-format.ts";
import { useWords } from "../../../words/words.ts";
import { findSetting, settingOf } from "./rule-settings.ts";
import type { ValueChange } from "./value-changes.ts";

/** Each value that would change: as it is, and as it would be. */
export function ChangeList({ changes }: { readonly changes: readonly ValueChange[] }) {
  const words = useWords().operator.votes;
  const show = useShowValue();
  if (changes.length === 0) return null;
  return (
    <Table
      caption={words.changes}
      rows={changes}
      keyOf={({ path }) => path}
      columns={[
        { title: words.value, cell: ({ path }) => <ValueName path={path} /> },
        { title: words.before, cell: ({ path, before }) => show(path, before) },
        {
          title: words.after,
          cell: ({ path, after }) => (
            <>
              <span aria-hidden="true">→ </span>
              <strong>{show(path, after)}</strong>
            </>
          ),
        },
      ]}
    />
  );
}

function ValueName({ path }: { readonly path: string }) {
  const { settings } = useWords().operator.votes;
  const setting = findSetting(path);
  return (
    <span className="value-name">
      {setting === null ? null : settings[setting]}
      <code className="small soft">{path}</code>
    </span>
  );
}

/** Other SVs may ask for changes of any value: one of an unknown shape is shown as JSON. */
function useShowValue(): (path: string, value: unknown) => string {
  const words = useWords().operator.votes;
  const format = useFormat();
  return (path, value) => {
    if (value === null || value === undefined) return words.noValue;
    if (typeof value === "object" && "microseconds" in value)
      return format.length(Number(value.microseconds) / 1000);
    if (typeof value !== "string") return JSON.stringify(value);
    const setting = findSetting(path);
    const kind = setting === null ? null : settingOf(setting).kind;
    if (kind === "usd") return format.usd(value);
    return kind === "party" ? shortenParty(value) : format.decimal(value);
  };
}
