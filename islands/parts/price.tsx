import { money, pricePieces } from './money.ts';
import styles from './price.module.css';
import { Spoken } from './spoken.tsx';

type Props = {
  /** Minor units. */
  minor: number;
  currency: string;
  language: string;
  /** Small print under the cents, such as `for 7 days`. */
  period?: string;
};

/** A price as a shop writes it: big whole units, raised cents, tabular figures; read aloud in full. */
export function Price({ minor, currency, language, period }: Props) {
  return (
    <span className={styles.price}>
      <Spoken>{money(minor, currency, language)} </Spoken>
      <span className={styles.figures} aria-hidden="true" dir="ltr">
        {pricePieces(minor, currency, language).map((piece) => (
          <span key={piece.kind} className={styles[piece.kind]}>
            {piece.text}
          </span>
        ))}
      </span>
      {period && <span className={styles.period}>{period}</span>}
    </span>
  );
}
