import { NoticeLine } from './layout.tsx';

export interface StatusProps {
  /** Tasks, most severe first. */
  todo: readonly { text: string; href: string }[];
  /** Time of the last check; empty for never. */
  checked: string;
  isChecked: boolean;
}

const unchecked = 'Not monitored here: alarms and test visits run on Cloudflare only.';

export function StatusLine({ todo, checked, isChecked }: StatusProps) {
  const when = isChecked && checked ? `Checked ${checked}.` : '';
  if (todo.length === 0) {
    return isChecked ? (
      <NoticeLine kind="done">{`No problems. Checked ${checked}.`}</NoticeLine>
    ) : (
      <NoticeLine kind="caution">{unchecked}</NoticeLine>
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
    </section>
  );
}
