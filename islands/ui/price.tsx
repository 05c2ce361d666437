import { money, pricePieces } from '../../locales/format/money.ts';
import styles from './price.module.css';

type Props = {
  minor: number;
  currency: string;
  language: string;
};

export function Price({ minor, currency, language }: Props) {
  // Raised parts are no custom in Arabic.
  if (language === 'ar') {
    return (
      <span className={styles.price}>
        <bdi className={styles.whole}>{money(minor, currency, language)}</bdi>
      </span>
    );
  }
  const pieces = pricePieces(minor, currency, language);
  // Nothing has no cents.
  const figures = pieces.filter(({ kind }) => kind === 'whole' || (kind === 'cents' && minor > 0));
  const sign = pieces.find(({ kind }) => kind === 'sign');
  const mark = (
    <bdi className={styles.sign} dir="ltr">
      {sign?.text}
    </bdi>
  );
  return (
    <span className={styles.price}>
      <span className="visually-hidden">{`${money(minor, currency, language)} `}</span>
      <span className={styles.figures} aria-hidden="true">
        {sign === pieces[0] && mark}
        <span className={styles.number} dir="ltr">
          {figures.map((piece) => (
            <span key={piece.kind} className={styles[piece.kind]}>
              {piece.text}
            </span>
          ))}
        </span>
        {sign !== pieces[0] && mark}
      </span>
    </span>
  );
}
