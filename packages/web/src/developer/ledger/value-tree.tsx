/** A value of the ledger as a tree: fields by name, lists by place, parties and contract ids shortened. */
import type { ReactNode } from "react";
import { CopyButton, PartyText } from "../../design/texts.tsx";
import { useWords } from "../../words/words.ts";
import { shortenId } from "./template-name.ts";

const PARTY = /^[^:\s]{1,200}::1220[0-9a-f]{64}$/;
const CONTRACT_ID = /^00[0-9a-f]{64,}$/;
const MAX_CHILDREN = 100;
/** Levels that stand open at first. */
const OPEN_LEVELS = 1;

export function ValueTree({ value, level = 0 }: { readonly value: unknown; readonly level?: number }) {
  const { ledger: words } = useWords().developer;
  if (typeof value !== "object" || value === null) return <Leaf value={value} />;
  const children = Object.entries(value);
  if (children.length === 0) return <span className="soft">{Array.isArray(value) ? "[]" : "{}"}</span>;
  return (
    <ul className="tree">
      {children.slice(0, MAX_CHILDREN).map(([name, child]) => (
        <li key={name}>
          <Branch name={name} value={child} level={level} />
        </li>
      ))}
      {children.length > MAX_CHILDREN ? (
        <li className="soft">{words.moreValues(children.length - MAX_CHILDREN)}</li>
      ) : null}
    </ul>
  );
}

function Branch({
  name,
  value,
  level,
}: {
  readonly name: string;
  readonly value: unknown;
  readonly level: number;
}): ReactNode {
  const isLeaf = typeof value !== "object" || value === null || Object.keys(value).length === 0;
  if (isLeaf) {
    return (
      <>
        <span className="tree-name">{name}:</span> <ValueTree value={value} level={level + 1} />
      </>
    );
  }
  return (
    <details open={level < OPEN_LEVELS}>
      <summary>
        <span className="tree-name">{name}</span>{" "}
        <span className="soft">
          {Array.isArray(value) ? `[${value.length}]` : `{${Object.keys(value).length}}`}
        </span>
      </summary>
      <ValueTree value={value} level={level + 1} />
    </details>
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  const { ledger: words } = useWords().developer;
  if (typeof value !== "string") return <span className="mono">{String(value)}</span>;
  if (PARTY.test(value)) return <PartyText party={value} />;
  if (CONTRACT_ID.test(value)) return <ContractId id={value} />;
  return <span>{value === "" ? <span className="soft">{words.emptyText}</span> : value}</span>;
}

export function ContractId({ id }: { readonly id: string }) {
  const { ledger: words } = useWords().developer;
  return (
    <span className="party">
      <span className="mono" title={id}>
        {shortenId(id)}
      </span>
      <CopyButton text={id} label={words.copyId} />
    </span>
  );
}
