import { useStore } from '@nanostores/react';
import type { IslandText } from '../locales/index.ts';
import styles from './offer-countdown.module.css';
import { clock } from './runtime/hydration/fill-boxes.ts';
import { useWake } from './runtime/hydration/use-on-hydrate.ts';
import { $app, leaveTimer, offerSeconds, tickTimer } from './stores/app.ts';

const second = 1000;
const whole = clock(offerSeconds * second, 0);

/** How long the price is held. It is gone when the time is over, and a reload does not restart it. */
export default function OfferCountdown({ text }: { text: IslandText['offer-countdown'] }) {
  const { timerSeconds } = useStore($app, { keys: ['timerSeconds'], ssr: 'initial' });
  useWake(() => {
    tickTimer();
    const timer = setInterval(() => tickTimer(), second);
    return () => {
      clearInterval(timer);
      leaveTimer();
    };
  });
  if (timerSeconds === 0) return null;
  return (
    <p className={styles.hold}>
      {`${text.hold} `}
      <span className={styles.time} data-fill="app.timer" suppressHydrationWarning>
        {timerSeconds === null ? whole : clock(timerSeconds * second, 0)}
      </span>
    </p>
  );
}
