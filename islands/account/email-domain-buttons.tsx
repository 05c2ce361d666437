import styles from '../email-form.module.css';

/** Shortcuts to offer for the typed text: only its own domain if that is one of them, else all. */
export function shortcutsFor(typed: string, hosts: readonly string[]): readonly string[] {
  const domain = typed.split('@')[1]?.trim().toLowerCase();
  return domain && hosts.includes(domain) ? [domain] : hosts;
}

export function withDomain(typed: string, host: string): string {
  const [local = ''] = typed.trim().split('@');
  return local && `${local}@${host}`;
}

type Props = {
  label: string;
  /** The current text of the field. */
  typed: string;
  hosts: readonly string[];
  onChoose: (host: string) => void;
};

export function EmailDomainButtons({ label, typed, hosts, onChoose }: Props) {
  const offered = shortcutsFor(typed, hosts);
  return (
    <fieldset className={`beside wrap gap-8 ${styles.shortcuts}`} aria-label={label}>
      {hosts.map((host) => (
        <button
          key={host}
          className={`small-button ${styles.shortcut}`}
          type="button"
          dir="ltr"
          data-shortcut=""
          data-off={offered.includes(host) ? undefined : ''}
          onClick={() => onChoose(host)}
        >
          {`@${host}`}
        </button>
      ))}
    </fieldset>
  );
}
