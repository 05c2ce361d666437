import ReceiptFacts from '../islands/receipt.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import type { ScreenProps } from '../worker/page-types.ts';
import type { Company } from '../worker/rendering/company-facts.ts';
import { PrintablePage } from './parts/printable-page.tsx';
import styles from './receipt.module.css';

type Props = ScreenProps & { company: Company };

/** A shell; the owner's browser fills in the seller and what was paid. */
export function Receipt({ page, t, text, company }: Props) {
  const { company: name, address, register, vat, email } = company;
  return (
    <PrintablePage page={page} t={t} of="receipt">
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
    </PrintablePage>
  );
}
