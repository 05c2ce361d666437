import { interpolate } from '../../locales/format/interpolate.ts';
import type { IslandText } from '../../locales/index.ts';
import type { Page } from '../../worker/rendering/page-types.ts';
import styles from './invitee.module.css';

type Props = {
  text: IslandText['invitee-response'];
  help: Page['helpline'];
};

export function Helpline({ text, help }: Props) {
  const { name, number, dial, emergency } = help;
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
      <p>
        {`${interpolate(text.help_danger, { number: emergency })} `}
        {/* NO MORE's and UN Women's list of services in every country. */}
        <a href="https://nomoredirectory.org/" rel="noreferrer">
          {text.help_abroad}
        </a>
      </p>
      <p className="note">{text.help_leave}</p>
    </aside>
  );
}
