import type { ReactNode } from "react";
import "./table.css";

export interface Column<R> {
  readonly title: string;
  readonly cell: (row: R) => ReactNode;
  readonly align?: "start" | "end";
}

/** Rows below columns; on a phone, each row folds into pairs of title and value. */
export function Table<R>({
  caption,
  columns,
  rows,
  keyOf,
  id,
}: {
  /** For screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R) => string;
  readonly id?: string;
}) {
  return (
    <div className="table-frame">
      <table className="table" data-folds {...(id === undefined ? {} : { id })}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, align }) => (
              <th key={title} scope="col" data-align={align}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, align }) => (
                <td key={title} data-column={title} data-align={align}>
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
