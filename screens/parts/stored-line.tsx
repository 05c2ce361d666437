import { Icon } from './icon.tsx';
import styles from './stored-line.module.css';

type Props = {
  /** A sentence with `{{value}}` in it. */
  text: string;
  /** The stored field, such as `map.phone`. */
  field: string;
  /** Whether it is less important than what is around it. */
  small?: boolean;
};

/** A sentence with what the visitor entered; hidden before paint where that is not known. */
export function StoredLine({ text, field, small = false }: Props) {
  const [before, after] = text.split('{{value}}');
  return (
    <p className={`row gap-8 ${small ? 'small' : 'strong'} ${styles.line}`}>
      <Icon name="consent" />
      <span className="break">
        {before}
        <bdi className={`tabular ${styles.value}`} data-fill={field} dir="ltr" />
        {after}
      </span>
    </p>
  );
}
