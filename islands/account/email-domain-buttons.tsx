import { shortcutsFor } from './email-domain.ts';
import styles from './email-domain-buttons.module.css';

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
