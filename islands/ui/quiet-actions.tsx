import styles from './quiet-actions.module.css';

export interface Action {
  id: string;
  label: string;
  /** Whether it ends or deletes something; then it stands last, below a line. */
  isEnd?: boolean;
  href?: string;
  onPress?: () => void;
}

/** What else can be done here: one list in one style, below the main action. */
export function QuietActions({ actions }: { actions: readonly (Action | false)[] }) {
  const shown = actions.filter((action) => action !== false);
  if (shown.length === 0) return null;
  return (
    <ul className={styles.actions}>
      {shown.map(({ id, label, isEnd, href, onPress }) => (
        <li key={id} className={isEnd ? styles.end : undefined}>
          {href ? (
            <a className="text-button row" id={id} href={href}>
              {label}
            </a>
          ) : (
            <button className="text-button row" id={id} type="button" onClick={onPress}>
              {label}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
