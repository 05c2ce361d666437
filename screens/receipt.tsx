import ReceiptFacts from '../islands/receipt.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import type { ScreenProps } from '../worker/page-types.ts';
import type { Company } from '../worker/rendering/company-facts.ts';
import { Footer } from './parts/footer.tsx';
import { NoScript } from './parts/no-script.tsx';
import { PageTitle } from './parts/page-title.tsx';
import { TopBar } from './parts/top-bar.tsx';
import styles from './receipt.module.css';

type Props = ScreenProps & { company: Company };

/** A shell; the owner's browser fills in the seller and what was paid. */
export function Receipt({ page, t, text, company }: Props) {
  const { company: name, address, register, vat, email } = company;
  return (
    <div className={`stack gap-16 ${styles.sheet}`}>
      <div className="not-printed">
        <TopBar page={page} t={t} />
      </div>
      <PageTitle title={t('receipt.title')} />
      <NoScript text={t('receipt.script')} />
      <div className={`stack ${styles.facts}`}>
        <Island
          of={ReceiptFacts}
          when="load"
          text={{ ...text.receipt, seller: t('receipt.seller'), tax: t('summary.tax') }}
          account={text['my-account']}
          language={page.language}
          seller={[page.brand, name, address, register, vat]}
          email={email}
        />
      </div>
      <div className="not-printed">
        <Footer page={page} t={t} />
      </div>
    </div>
  );
}
