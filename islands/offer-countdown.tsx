import { useStore } from '@nanostores/react';
import type { IslandText } from '../locales/index.ts';
import styles from './offer-countdown.module.css';
import { formatClock } from './runtime/hydration/show-stored-state.ts';
import { useOnHydrate } from './runtime/hydration/use-on-hydrate.ts';
import { $app, offerSeconds, stopTimer, tickTimer } from './stores/app.ts';

const second = 1000;
const whole = formatClock(offerSeconds * second, 0);

/** Counts down to the offer's deadline. It disappears at zero; a reload does not restart it. */
export default function OfferCountdown({ text }: { text: IslandText['offer-countdown'] }) {
  const { timerSeconds } = useStore($app, { keys: ['timerSeconds'], ssr: 'initial' });
  useOnHydrate(() => {
    tickTimer();
    const timer = setInterval(() => tickTimer(), second);
    return () => {
      clearInterval(timer);
      stopTimer();
    };
  });
  if (timerSeconds === 0) return null;
  return (
    <p>
      {`${text.hold} `}
      <span
        className={`strong tabular ${styles.time}`}
        data-fill="app.timer"
        suppressHydrationWarning
      >
        {timerSeconds === null ? whole : formatClock(timerSeconds * second, 0)}
      </span>
    </p>
  );
}
