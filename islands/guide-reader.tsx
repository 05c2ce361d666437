import { useState } from 'react';
import type { GuideText, IslandText } from '../locales/index.ts';
import { GuideSections } from './account/guide-sections.tsx';
import { isEmail } from './account/is-email.ts';
import { loadGuide, type NoGuide } from './account/load-guide.ts';
import { RequestSignInLink } from './account/request-sign-in-link.tsx';
import { requestSignInLink } from './account/sign-in-link.ts';
import styles from './guide-reader.module.css';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { $signup, setEmail } from './stores/signup.ts';
import { ContinueButton } from './ui/continue-button.tsx';
import { LoadingScreen } from './ui/loading-screen.tsx';
import { MissingStep } from './ui/missing-step.tsx';
import { useRequestState } from './ui/use-request-state.ts';

/** The guide's sales page; without a main plan it says that the plan comes first. */
const offer = '/upsell_guide';

/** The guide for its buyers; otherwise what is missing, with a link. */
export default function GuideReader({ text }: { text: IslandText['guide-reader'] }) {
  const [guide, setGuide] = useState<GuideText | null>(null);
  const [state, setState] = useState<'waiting' | NoGuide>('waiting');
  const [error, setError] = useState('');
  const [mailing, mail] = useRequestState(() => requestSignInLink({ email: $signup.get().email }));
  const load = async () => {
    setState('waiting');
    const loaded = await loadGuide();
    if (typeof loaded === 'string') setState(loaded);
    else setGuide(loaded);
  };
  useOnHydrate(() => {
    load();
  });
  const ask = (email: string) => {
    setError(isEmail(email) ? '' : text.invalid);
    if (!isEmail(email)) return;
    setEmail(email, true);
    mail();
  };

  if (guide) {
    return (
      <article className="stack gap-32">
        <GuideSections guide={guide} contents={text.contents} />
        <div className={`stack gap-8 not-printed ${styles.actions}`}>
          <ContinueButton
            label={text.print}
            type="button"
            secondary
            onClick={() => window.print()}
          />
          <a className="tap" href="/success" data-navigate="">
            {text.back}
          </a>
        </div>
      </article>
    );
  }
  return (
    <div className={`stack gap-16 top ${styles.waiting}`}>
      {state === 'waiting' && <LoadingScreen message={text.waiting} />}
      {state === 'missing' && (
        <>
          <MissingStep text={text.missing} label={text.get} href={offer} />
          <a className={`tap ${styles.back}`} href="/success" data-navigate="">
            {text.back}
          </a>
        </>
      )}
      {state === 'signed_out' && (
        <>
          <RequestSignInLink
            text={text}
            email={$signup.get().email}
            error={error}
            state={mailing}
            onSubmit={ask}
          />
          <p className={`note ${styles.how}`}>
            {text.how}
            <a href={offer} data-navigate="">
              {text.get}
            </a>
          </p>
        </>
      )}
      {state === 'failed' && (
        <>
          <p role="alert">{text.failed}</p>
          <ContinueButton label={text.retry} type="button" onClick={load} />
        </>
      )}
    </div>
  );
}
