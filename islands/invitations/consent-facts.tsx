import type { IslandText } from '../../locales/index.ts';
import styles from './invitee.module.css';

type Props = {
  text: IslandText['invitee-response'];
  duration: 'hour' | 'day' | 'until_stopped';
};

export function ConsentFacts({ text, duration }: Props) {
  const facts = [
    [text.what, text.what_text],
    [text.long, text[`long_${duration}`]],
    [text.no, text.no_text],
    [text.mind, text.mind_text],
  ] as const;
  return (
    <dl className="list">
      {facts.map(([word, said]) => (
        <div key={word} className={`padded ${styles.fact}`}>
          <dt className="note">{word}</dt>
          <dd>{said}</dd>
        </div>
      ))}
    </dl>
  );
}
