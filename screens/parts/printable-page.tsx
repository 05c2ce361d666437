import type { ReactNode } from 'react';
import type { ScreenProps } from '../../worker/rendering/page-types.ts';
import { Backdrop } from '../scene/city-map.tsx';
import { Footer } from './footer.tsx';
import { NoScript } from './no-script.tsx';
import { PageTitle } from './page-title.tsx';
import styles from './printable-page.module.css';
import { TopBar } from './top-bar.tsx';

type Props = Pick<ScreenProps, 'page' | 't'> & {
  of: 'guide' | 'receipt';
  /** A title that the island sets later. */
  later?: string;
  children: ReactNode;
};

/** One column that prints without the site's bars; an island fills in the owner's data. */
export const PrintablePage = ({ page, t, of, later, children }: Props) => (
  <>
    <Backdrop />
    <div className={`stack gap-16 ${styles.sheet}`} data-need="signup.userId">
      <div className="not-printed">
        <TopBar page={page} t={t} />
      </div>
      <PageTitle title={t(`${of}.title`)} {...(later && { later })} />
      <NoScript text={t(`${of}.script`)} />
      {children}
      <div className="not-printed" data-foot="">
        <Footer page={page} t={t} />
      </div>
    </div>
  </>
);
