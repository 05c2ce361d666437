import type { ReactNode } from 'react';
import { Time } from './layout.tsx';

export interface Entry {
  key: string;
  /** ISO 8601; empty for none. */
  time: string;
  title: ReactNode;
  note: ReactNode;
  figure: ReactNode;
}

/** One line for each entry; two on a phone. */
export const EntryList = ({ entries }: { entries: readonly Entry[] }) => (
  <ul className="entries">
    {entries.map(({ key, time, title, note, figure }) => (
      <li key={key}>
        <Time at={time} /> <span>{title}</span> <small>{note}</small>{' '}
        <span className="figure">{figure}</span>
      </li>
    ))}
  </ul>
);
