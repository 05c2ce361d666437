import type { ReactNode } from 'react';
import { NoticeLine } from './layout.tsx';

export interface StatusProps {
  /** Tasks, most severe first. */
  todo: readonly { text: string; href: string }[];
  /** Time of the last check; empty for never. */
  checked: string;
  isChecked: boolean;
  /** What else is known, such as the state of the parts. */
  children?: ReactNode;
}

const unchecked = 'Not monitored here: alarms and test visits run on Cloudflare only.';

export function StatusLine({ todo, checked, isChecked, children }: StatusProps) {
  const when = isChecked && checked ? `Checked ${checked}.` : '';
  if (todo.length === 0) {
    return (
      <NoticeLine kind={isChecked ? 'done' : 'note'}>
        {children} {isChecked ? `No problems. Checked ${checked}.` : unchecked}
      </NoticeLine>
    );
  }
  return (
    <section className="notice problem" aria-label="Open tasks">
      <p>
        <b>{`${todo.length} open ${todo.length === 1 ? 'task' : 'tasks'}.`}</b> {when}
      </p>
      <ol>
        {todo.map(({ text, href }) => (
          <li key={text + href}>
            <a href={href}>{text}</a>
          </li>
        ))}
      </ol>
      {children}
    </section>
  );
}
