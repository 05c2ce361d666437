import { Icon } from './icon.tsx';
import styles from './stored-line.module.css';

type Props = {
  /** A sentence that contains `{{value}}`. */
  text: string;
  /** The stored field, such as `map.phone`. */
  field: string;
  /** Whether it is a note below a lead. */
  small?: boolean;
};

/** A sentence with the visitor's input; hidden before paint if that is unknown. */
export function StoredLine({ text, field, small = false }: Props) {
  const [before, after] = text.split('{{value}}');
  return (
    <p className={`row gap-8 ${small ? 'note' : 'strong'} ${styles.line}`}>
      {!small && <Icon name="consent" />}
      <span className="break">
        {before}
        <bdi className={`tabular ${styles.value}`} data-fill={field} dir="ltr" />
        {after}
      </span>
    </p>
  );
}
