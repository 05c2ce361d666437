import type { ScreenProps } from '../../worker/rendering/page-types.ts';
import { ByAnswer } from './by-answer.tsx';
import styles from './invitation-preview.module.css';

export function InvitationPreview({ page, t, text }: ScreenProps) {
  if (!page.exampleMessages) return null;
  const { hour, day } = page.exampleMessages;
  const theirs = text['invitee-response'];
  return (
    <section className="stack gap-16">
      <h2>{t('invitation.title')}</h2>
      <div className="stack gap-20">
        <figure className="stack gap-8">
          <figcaption className="note">{t('invitation.sms')}</figcaption>
          <p className={styles.bubble}>
            {page.flow.hasQuestions ? (
              <ByAnswer when={{ outing: day, everyday: day }}>{hour}</ByAnswer>
            ) : (
              hour
            )}
          </p>
        </figure>
        <figure className="stack gap-8">
          <figcaption className="note">{t('invitation.page')}</figcaption>
          <div className={styles.page}>
            <div className="padded stack">
              <p className="strong">{theirs.asks.replace('{{name}}', t('scene.sender'))}</p>
              <p className="note">{theirs.what_text}</p>
            </div>
            <p className={`beside center note ${styles.halves}`}>
              <span className="grow middle">{theirs.decline}</span>
              <span className="grow middle">{theirs.accept}</span>
            </p>
          </div>
        </figure>
      </div>
    </section>
  );
}
