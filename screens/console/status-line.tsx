import { Notice } from './layout.tsx';

export interface StatusProps {
  /** Tasks, most severe first. */
  todo: readonly { text: string; href: string }[];
  /** Time of the last check; empty for never. */
  checked: string;
  isChecked: boolean;
}

const unchecked =
  'Nothing is known to be wrong. Alarms and test visits run on Cloudflare only, so they say nothing here.';

export function StatusLine({ todo, checked, isChecked }: StatusProps) {
  const when = isChecked && checked ? `Checked ${checked}.` : '';
  if (todo.length === 0) {
    return isChecked ? (
      <Notice kind="done">{`All right, checked ${checked}.`}</Notice>
    ) : (
      <p className="quiet">{unchecked}</p>
    );
  }
  return (
    <section className="notice problem" aria-label="To do">
      <p>
        <b>{`${todo.length} ${todo.length === 1 ? 'thing' : 'things'} to do.`}</b> {when}
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
