import type { ReactNode } from 'react';
import { Scroll } from './layout.tsx';

export interface TableRow {
  name: string;
  note?: string;
  /** React key, if names repeat. */
  key?: string;
  cells: readonly ReactNode[];
  href?: string;
}

interface Props {
  title: string;
  /** The first column is for the names. */
  columns: readonly string[];
  rows: readonly TableRow[];
  empty: string;
  /** Whether each row is a card on a phone. */
  stacks?: boolean;
  children?: ReactNode;
}

export function Table({ title, columns, rows, empty, stacks = false, children }: Props) {
  return (
    <Scroll label={title}>
      <h2>{title}</h2>
      {children}
      {rows.length === 0 ? (
        <p>{empty}</p>
      ) : (
        <table className={stacks ? 'stacks' : undefined}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, note, key = name, href, cells }) => (
              <tr key={key}>
                <th scope="row">
                  {href ? <a href={href}>{name}</a> : name}
                  {note && <small>{note}</small>}
                </th>
                {cells.map((cell, at) => (
                  <td key={columns[at + 1]} className="figure" data-label={columns[at + 1]}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Scroll>
  );
}

export const List = ({
  title,
  lines,
  empty,
}: {
  title: string;
  lines: readonly string[];
  empty: string;
}) => (
  <section className="card">
    <h2>{title}</h2>
    {lines.length === 0 ? (
      <p>{empty}</p>
    ) : (
      <ul>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    )}
  </section>
);
