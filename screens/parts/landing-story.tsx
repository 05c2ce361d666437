import { ReviewList } from '../../islands/ui/review-card.tsx';
import type { PartProps } from '../../worker/rendering/page-types.ts';
import styles from '../landing.module.css';
import { Icon } from './icon.tsx';
import { reviewsOf } from './review-section.tsx';

const seen = ['who', 'choice', 'stop'] as const;
const questions = ['consent', 'phones', 'refusal', 'cancel'] as const;

export function LandingStory({ page, t }: PartProps<'reviews' | 'isTestMode'>) {
  const reviews = reviewsOf({ page, t });
  return (
    <>
      <section className="stack gap-16">
        <h2>{t('landing.seen.title')}</h2>
        <ul className={`stack gap-12 ${styles.list}`}>
          {seen.map((point) => (
            <li key={point} className="beside gap-12">
              <Icon name="consent" />
              {t(`landing.seen.${point}`)}
            </li>
          ))}
        </ul>
      </section>
      <section className="stack gap-16">
        <h2>{t('landing.questions.title')}</h2>
        <div>
          {questions.map((question) => (
            <details key={question} className={styles.question}>
              <summary className="row spread gap-16 strong chevron">
                {t(`landing.questions.${question}.title`)}
              </summary>
              <p className="soft">{t(`landing.questions.${question}.text`)}</p>
            </details>
          ))}
        </div>
      </section>
      {reviews.length > 0 && (
        <section className="stack gap-16">
          <h2>{t('reviews.title')}</h2>
          <ReviewList items={reviews} />
        </section>
      )}
    </>
  );
}
