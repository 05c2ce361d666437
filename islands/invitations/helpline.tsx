import type { IslandText } from '../../locales/index.ts';
import styles from './invitee.module.css';

type Props = {
  text: IslandText['invitee-response'];
  help: { name: string; number: string; dial: string };
};

export function Helpline({ text, help: { name, number, dial } }: Props) {
  return (
    <aside className={`notice stack gap-8 ${styles.help}`} aria-label={text.help}>
      <p className="title-small strong">{text.help}</p>
      <p>{text.help_text}</p>
      <p className={`stack gap-8 ${styles.line}`} data-line={dial}>
        <span className="strong">
          <bdi>{name}</bdi>
        </span>
        <a className="link-outlined" href={`tel:${dial}`} dir="ltr">
          {number}
        </a>
      </p>
      <p>{text.help_danger}</p>
      <p className="note">{text.help_leave}</p>
    </aside>
  );
}
