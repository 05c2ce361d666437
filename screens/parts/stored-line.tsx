import type { Text } from '../../locales/index.ts';
import { Icon } from './icon.tsx';
import styles from './stored-line.module.css';

type Props = {
  /** A sentence that contains `{{value}}`. */
  text: string;
  /** The stored field, such as `map.phone`. */
  field: string;
  /** Whether the other person's name stands for the value, if it is known. */
  named?: boolean;
  /** A stored field; with it the sentence replaces the line before. */
  need?: string;
};

/** A sentence with the visitor's input; hidden before paint if that is unknown. */
function StoredLine({ text, field, named = false, need }: Props) {
  const [before, after] = text.split('{{value}}');
  return (
    <p className={`row gap-8 strong ${styles.line}`} data-need={need} data-missing={need && ''}>
      <Icon name="consent" />
      <span className="break">
        {before}
        {named && <bdi className={styles.name} data-fill="map.name" />}
        <bdi className={`tabular ${styles.value}`} data-fill={field} dir="ltr" />
        {after}
      </span>
    </p>
  );
}

/** How the other person will be asked: by us, or by a link that the visitor sends. */
export function ReadyLine({ t }: { t: Text }) {
  const value = { phone: '{{value}}' };
  return (
    <>
      <StoredLine text={t('checkout.ready', value)} field="map.phone" named />
      <StoredLine
        text={t('checkout.ready_link', value)}
        field="map.phone"
        named
        need="map.byLink"
      />
    </>
  );
}
