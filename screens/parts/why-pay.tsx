import type { Text } from '../../locales/index.ts';
import type { PartProps } from '../../worker/rendering/page-types.ts';
import { Icon } from './icon.tsx';
import styles from './why-pay.module.css';

const features = [
  ['pin', 'live'],
  ['clock', 'history'],
  ['bell', 'places'],
  ['alert', 'sos'],
] as const;

export function Included({ t }: { t: Text }) {
  return (
    <section className="stack gap-12">
      <h2 className="title-small">{t('paywall.combo.title')}</h2>
      <ul className={styles.features}>
        {features.map(([icon, feature]) => (
          <li key={feature} className="small beside gap-8">
            <Icon name={icon} />
            <span className="break">{t(`features.${feature}.title`)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const rows = [
  ['phones', 'maps'],
  ['text', 'no'],
  ['alerts', 'yes'],
  ['end', 'optional'],
  ['refund', 'free'],
] as const;

/** An honest comparison: the phones' own sharing is free, and has alerts as well. */
export function WhyPay({ page, t }: PartProps<'brand'>) {
  const yes = (
    <>
      <Icon name="consent" size={20} />
      <span className="visually-hidden">{t('compare.yes')}</span>
    </>
  );
  return (
    <section className="stack gap-12">
      <h2 className="title-small">{t('compare.title')}</h2>
      <table className={`small ${styles.table}`}>
        <tbody>
          <tr>
            <td />
            <th scope="col" className="soft">
              {t('compare.built_in')}
            </th>
            <th scope="col">{page.brand}</th>
          </tr>
          {rows.map(([row, builtIn]) => (
            <tr key={row}>
              <th scope="row">{t(`compare.${row}`)}</th>
              <td className="soft">{builtIn === 'yes' ? yes : t(`compare.${builtIn}`)}</td>
              <td>{yes}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="fine-print">{t('compare.note')}</p>
    </section>
  );
}
