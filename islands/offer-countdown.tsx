import { useStore } from '@nanostores/react';
import { offerSeconds } from '../locales/format/offer-time.ts';
import type { IslandText } from '../locales/index.ts';
import styles from './offer-countdown.module.css';
import { formatClock } from './runtime/hydration/show-stored-state.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { $app, stopTimer, tickTimer } from './stores/app.ts';

const secondMs = 1000;
const fullTime = formatClock(offerSeconds * secondMs, 0);

interface Props {
  text: IslandText['offer-countdown'];
  /** Today's, of the plan that is sold only until then. */
  price: string;
}

/** A reload does not restart the countdown. At zero a sentence of the same height replaces it. */
export default function OfferCountdown({ text, price }: Props) {
  const { timerSeconds } = useStore($app, { keys: ['timerSeconds'], ssr: 'initial' });
  useOnHydrate(() => {
    tickTimer();
    const timer = setInterval(() => tickTimer(), secondMs);
    // The screen may be left as a whole document.
    addEventListener('pagehide', stopTimer);
    return () => {
      removeEventListener('pagehide', stopTimer);
      clearInterval(timer);
      stopTimer();
    };
  });
  const [before = '', behind = ''] = text.hold.replace('{{price}}', price).split('{{time}}');
  return (
    <div className="stack">
      <p className={`stack ${styles.line}`} role="status">
        {timerSeconds === 0 && text.over}
      </p>
      <p className={timerSeconds === 0 ? `${styles.line} ${styles.over}` : styles.line}>
        {before}
        <span className="strong tabular" data-fill="app.timer" suppressHydrationWarning>
          {timerSeconds === null ? fullTime : formatClock(timerSeconds * secondMs, 0)}
        </span>
        {behind}
      </p>
    </div>
  );
}
