import { useStore } from '@nanostores/react';
import { useState } from 'react';
import type { IslandText } from '../locales/index.ts';
import styles from './handoff.module.css';
import { ContinueButton } from './parts/continue-button.tsx';
import { Missing } from './parts/missing.tsx';
import { pictureOf } from './parts/picture.ts';
import { SuccessPopup } from './parts/success-popup.tsx';
import { here } from './runtime/here.ts';
import { useWake } from './runtime/use-wake.ts';
import { $checkout, closeSuccessPopup } from './stores/checkout.ts';
import { loadDeeplink } from './stores/deeplink.ts';
import { $signup } from './stores/signup.ts';

const side = 256;

/** The way from the page into the app, already signed in: a code to scan, a link to tap. */
export default function Handoff({ text }: { text: IslandText['handoff'] }) {
  const { isSuccess, showSuccessPopup } = useStore($checkout, { ssr: 'initial' });
  const { deeplinkUrl, deeplinkQR } = useStore($signup, { ssr: 'initial' });
  const [state, setState] = useState<'asleep' | 'loading' | 'done'>('asleep');
  const load = async () => {
    setState('loading');
    await loadDeeplink();
    setState('done');
  };
  useWake(() => {
    if ($checkout.get().isSuccess && !$signup.get().deeplinkUrl) load();
    else setState('done');
  });

  if (state !== 'asleep' && !isSuccess) {
    return <Missing text={text.missing} label={text.choose} href={here().checkout ?? '/'} />;
  }
  const failed = state === 'done' && !deeplinkUrl;
  const waits = <p role="status">{failed ? text.failed : text.waiting}</p>;
  const code = deeplinkQR && (
    <img src={pictureOf(deeplinkQR)} width={side} height={side} alt={text.qr} />
  );
  return (
    <div className={styles.handoff}>
      <div className={styles.code} aria-busy={state === 'loading'}>
        {code || waits}
      </div>
      {failed ? (
        <ContinueButton label={text.retry} type="button" onClick={load} />
      ) : (
        <a className={styles.open} id="continue-button" href={deeplinkUrl || undefined}>
          {text.open}
        </a>
      )}
      <details className={styles.other}>
        <summary className={styles.summary}>{text.other}</summary>
        <p>{text.scan}</p>
        <div className={styles.paper}>{code}</div>
      </details>
      {showSuccessPopup && (
        <SuccessPopup
          title={text.popup_title}
          text={text.popup_text}
          close={text.popup_close}
          onClose={closeSuccessPopup}
        />
      )}
    </div>
  );
}
