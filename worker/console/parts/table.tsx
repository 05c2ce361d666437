import type { ReactNode } from 'react';
import { Scroll } from './layout.tsx';
import { Lines } from './lines.tsx';

export interface TableRow {
  name: string;
  note?: ReactNode;
  /** React key, if names repeat. */
  key?: string;
  isFaint?: boolean;
  /** Whether it stands out as the one in use. */
  isLive?: boolean;
  /** The sum of the rows above. */
  isTotal?: boolean;
  cells: readonly ReactNode[];
  href?: string;
}

interface Column {
  name: string;
  className: string;
}

/** Columns of numbers, which stand at the end of their cells. */
export const figures = (...names: string[]): Column[] =>
  names.map((name) => ({ name, className: 'figure' }));

/** Columns whose cells need no name beside them on a phone. */
export const bare = (...names: string[]): Column[] =>
  names.map((name) => ({ name, className: 'bare' }));

export const details = (...names: string[]): Column[] =>
  names.map((name) => ({ name, className: 'figure detail' }));

interface Props {
  title: string;
  /** The first column is for the names. */
  columns: readonly (string | Column)[];
  rows: readonly TableRow[];
  empty: string;
  /** Whether each row is a card on a phone. */
  stacks?: boolean;
  children?: ReactNode;
}

export function Table({ title, columns, rows, empty, stacks = false, children }: Props) {
  const heads = columns.map((column) =>
    typeof column === 'string' ? { name: column, className: undefined } : column,
  );
  return (
    <Scroll label={title}>
      <h2>{title}</h2>
      {children}
      {rows.length === 0 ? (
        <p className="quiet">{empty}</p>
      ) : (
        <table className={stacks ? 'stacks' : undefined}>
          <thead>
            <tr>
              {heads.map(({ name, className }) => (
                <th key={name} scope="col" className={className}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, note, key = name, href, isFaint, isLive, isTotal, cells }) => (
              <tr
                key={key}
                className={isLive ? 'live' : isTotal ? 'total' : isFaint ? 'faint' : undefined}
              >
                <th scope="row">
                  {href ? <a href={href}>{name}</a> : name}
                  {note && <small>{note}</small>}
                </th>
                {cells.map((cell, at) => (
                  <td
                    key={heads[at + 1]?.name}
                    className={heads[at + 1]?.className}
                    data-label={heads[at + 1]?.name}
                  >
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

/** Folded on a phone only. */
export const Fold = ({ title, children }: { title: string; children: ReactNode }) => (
  <details className="fold">
    <summary>{title}</summary>
    {children}
  </details>
);

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
    {lines.length === 0 ? <p className="quiet">{empty}</p> : <Lines lines={lines} />}
  </section>
);
