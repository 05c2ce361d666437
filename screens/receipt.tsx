import ReceiptFacts from '../islands/receipt.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import type { ScreenProps } from '../worker/page-types.ts';
import type { Company } from '../worker/rendering/company-facts.ts';
import { PrintablePage } from './parts/printable-page.tsx';
import styles from './receipt.module.css';
import { SmallPicture } from './scene/small-picture.tsx';

type Props = ScreenProps & { company: Company };

/** Names the seller, also without JavaScript; the owner's browser fills in the payment. */
export function Receipt({ page, t, text, company }: Props) {
  const { company: name, address, register, vat, email } = company;
  return (
    <PrintablePage page={page} t={t} of="receipt" later={t('receipt.missing')}>
      <div className={`stack ${styles.facts}`} data-with="">
        <Island
          of={ReceiptFacts}
          when="load"
          text={{ ...text.receipt, tax: t('summary.tax') }}
          account={text['my-account']}
          language={page.language}
        />
      </div>
      <div className={`not-printed ${styles.missing}`}>
        <SmallPicture t={t} of="lost" />
      </div>
      <section className={`stack gap-4 ${styles.seller}`}>
        <h2 className="title-small">{t('receipt.seller')}</h2>
        <address className={`small ${styles.address}`}>
          {[page.brand, name, address, register, vat].map((line) => (
            <p key={line}>
              <bdi>{line}</bdi>
            </p>
          ))}
          <a className="tap" href={`mailto:${email}`}>
            {email}
          </a>
        </address>
      </section>
    </PrintablePage>
  );
}
