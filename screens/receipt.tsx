import ReceiptFacts from '../islands/receipt.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import type { Company } from '../worker/rendering/company-facts.ts';
import type { ScreenProps } from '../worker/rendering/page-types.ts';
import { PrintablePage } from './parts/printable-page.tsx';
import styles from './receipt.module.css';
import { SmallPicture } from './scene/small-picture.tsx';

type Props = ScreenProps & { company: Company };

/** A page shell with the seller; the owner's browser fills in the payment. */
export function Receipt({ page, t, text, company }: Props) {
  const { company: name, address, register, vat, email } = company;
  return (
    <PrintablePage page={page} t={t} of="receipt" later={t('receipt.missing')}>
      <div className={`stack ${styles.facts}`} data-with="">
        <Island
          of={ReceiptFacts}
          when="load"
          text={{ ...text.receipt, tax: t('summary.tax'), seller: t('receipt.seller') }}
          seller={[page.brand, name, address, register, vat, email].filter(Boolean)}
          account={text['my-account']}
          language={page.language}
        />
      </div>
      <div className={`not-printed ${styles.missing}`}>
        <SmallPicture t={t} of="lost" />
      </div>
    </PrintablePage>
  );
}
