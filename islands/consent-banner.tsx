import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import type { Choice } from '../worker/visitor/rules/consent.ts';
import styles from './consent-banner.module.css';
import { reopenBanner, saveChoice, startConsent } from './runtime/storage/consent-choice.ts';
import { $consent } from './stores/consent.ts';
import { setError } from './stores/error.ts';

interface Props {
  text: IslandText['consent-banner'];
  /** Whether the visitor's country requires consent before storage. */
  consentRequired: boolean;
  cookiePolicy: string;
}

/** The footer link that reopens the question. */
const link = 'a[href$="#choice"]';

/** Reopens the question when the footer link is used, and returns the focus to the link. */
function useFooterLink(): () => void {
  const from = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (location.hash === '#choice') reopenBanner();
    const follow = (event: MouseEvent) => {
      const clicked = (event.target as Element).closest<HTMLElement>(link);
      if (!clicked || event.metaKey || event.ctrlKey) return;
      event.preventDefault();
      from.current = clicked;
      reopenBanner();
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, []);
  return () => from.current?.focus();
}

/** Asks for consent to storage and ad networks. Both answers have equal weight. */
export default function ConsentBanner({ text, consentRequired, cookiePolicy }: Props) {
  const { bannerOpen, choice } = useStore($consent, { ssr: 'initial' });
  const [sending, setSending] = useState(false);
  const box = useRef<HTMLElement>(null);
  const focusLink = useFooterLink();
  useEffect(() => startConsent(consentRequired), [consentRequired]);
  useEffect(() => {
    const root = document.documentElement.style;
    if (bannerOpen && box.current) root.setProperty('--covered', `${box.current.offsetHeight}px`);
    if (bannerOpen && choice) box.current?.focus();
    return () => void root.removeProperty('--covered');
  }, [bannerOpen, choice]);
  const answer = (chosen: Choice) => async () => {
    setSending(true);
    await saveChoice(chosen).then(focusLink, () => setError(text.failed));
    setSending(false);
  };
  if (!bannerOpen) return null;
  return (
    <section
      ref={box}
      className={`stack not-printed ${styles.banner}`}
      tabIndex={-1}
      aria-label={text.label}
    >
      <p className={styles.text}>
        {text.text} <a href={cookiePolicy}>{text.more}</a>
      </p>
      <div className={styles.answers}>
        <button type="button" disabled={sending} onClick={answer('no')}>
          {text.reject}
        </button>
        <button type="button" disabled={sending} onClick={answer('yes')}>
          {text.accept}
        </button>
      </div>
    </section>
  );
}
