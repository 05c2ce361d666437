import type { IslandText } from '../../locales/index.ts';
import styles from './helpline.module.css';

type Props = {
  text: IslandText['invitee-response'];
  /** The country's helpline; empty strings when none is known. */
  help: { name: string; number: string; dial: string };
};

/** For people under pressure to accept: whom to call, and a quick exit. */
export function Helpline({ text, help: { name, number, dial } }: Props) {
  return (
    <aside className={`notice stack gap-8 ${styles.help}`} aria-label={text.help}>
      <p className="strong">{text.help}</p>
      <p>{text.help_text}</p>
      <p className={`row spread wrap ${styles.line}`} data-line={dial}>
        <bdi>{name}</bdi>
        <a className={styles.number} href={`tel:${dial}`} dir="ltr">
          {number}
        </a>
      </p>
      <p>{text.help_danger}</p>
      <p className="note">{text.help_leave}</p>
    </aside>
  );
}
