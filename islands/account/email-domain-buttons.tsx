import styles from './email-domain-buttons.module.css';

/** The shortcuts to offer for a typed text: only the one that its domain is already, else all. */
export function shortcutsFor(typed: string, hosts: readonly string[]): readonly string[] {
  const domain = typed.split('@')[1]?.trim().toLowerCase();
  return domain && hosts.includes(domain) ? [domain] : hosts;
}

/** A typed text with its domain part replaced; an empty one stays empty. */
export function withDomain(typed: string, host: string): string {
  const [local = ''] = typed.trim().split('@');
  return local && `${local}@${host}`;
}

type Props = {
  /** Says what the buttons do. */
  label: string;
  /** The field's text, of which a button replaces the domain part. */
  typed: string;
  hosts: readonly string[];
  onChoose: (host: string) => void;
};

/** Buttons that complete an e-mail with a common host; one that goes leaves its place empty. */
export function EmailDomainButtons({ label, typed, hosts, onChoose }: Props) {
  const offered = shortcutsFor(typed, hosts);
  return (
    <fieldset className={styles.row} aria-label={label}>
      {hosts.map((host) => (
        <button
          key={host}
          className={styles.shortcut}
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
