import GuideReader from '../islands/guide-reader.tsx';
import { Island } from '../islands/runtime/hydration/island.tsx';
import { money } from '../locales/format/money.ts';
import { sentencesOf } from '../locales/format/sentences.ts';
import type { ScreenProps } from '../worker/rendering/page-types.ts';
import styles from './guide.module.css';
import { drawings } from './parts/icon.tsx';
import { PrintablePage } from './parts/printable-page.tsx';
import { SmallPicture } from './scene/small-picture.tsx';

/** Icons of the guide's sections, in their order. */
export const guideSigns = [
  drawings.phone,
  drawings.school,
  drawings.travel,
  drawings.alert,
  drawings.back,
];

/** A page shell; only the guide's buyers receive its text. */
export function Guide({ page, t, text }: ScreenProps) {
  const { guide } = page.extras;
  return (
    <PrintablePage page={page} t={t} of="guide">
      <div className={`not-printed ${styles.cover}`}>
        <SmallPicture t={t} of="guide" />
      </div>
      <Island
        of={GuideReader}
        when="load"
        text={text['guide-reader']}
        hint={t('mail_link.lead')}
        signs={guideSigns}
        price={money(guide.periodPrice, guide.currency, page.language)}
        benefit={sentencesOf(t('upsell.guide.lead'))[0] ?? ''}
        once={t('upsell.once')}
        topics={(['phone', 'school', 'travel', 'alert'] as const).map((topic) =>
          t(`upsell.benefits.${topic}.title`),
        )}
      />
    </PrintablePage>
  );
}
