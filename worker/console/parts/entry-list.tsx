import type { ReactNode } from 'react';
import { Time } from './layout.tsx';

export interface Entry {
  key: string;
  /** ISO 8601; empty for none. */
  time: string;
  title: ReactNode;
  note: ReactNode;
  state?: ReactNode;
  figure: ReactNode;
}

interface Props {
  entries: readonly Entry[];
  heads?: readonly string[];
}

/** One line for each entry; up to three on a phone. */
export const EntryList = ({ entries, heads = [] }: Props) => (
  <ul className="entries">
    {entries.length > 0 && heads.length > 0 && (
      <li className="heads" aria-hidden="true">
        {heads.map((head) => (
          <b key={head}>{head}</b>
        ))}
      </li>
    )}
    {entries.map(({ key, time, title, note, state, figure }) => (
      <li key={key}>
        <Time at={time} /> <span>{title}</span> <small>{note}</small>
        {state && <small className="state">{state}</small>} <span className="figure">{figure}</span>
      </li>
    ))}
  </ul>
);
