import type { ReactNode } from 'react';
import type { Text } from '../../locales/index.ts';
import { LogoPin } from '../parts/top-bar.tsx';
import { Note } from './app-pages.tsx';
import { Envelope } from './drawing-parts.tsx';
import styles from './scene.module.css';

/** One object on the phone's map. */
const Emblem = ({ children }: { children: ReactNode }) => (
  <g transform="translate(0 64)">
    <circle className={styles.shade} cx="320" cy="378" r="122" />
    <circle cx="320" cy="372" r="122" fill="var(--surface)" />
    {children}
  </g>
);

const PaymentCard = () => (
  <g transform="translate(320 372)">
    <g className={styles.turned}>
      <g transform="rotate(-8) translate(-320 -372)">
        <rect className={styles.shade} x="224" y="320" width="192" height="122" rx="16" />
        <rect x="224" y="314" width="192" height="122" rx="16" fill="var(--brand)" />
        <rect x="244" y="348" width="34" height="26" rx="6" fill="var(--on-brand)" opacity=".8" />
        <path
          stroke="var(--on-brand)"
          strokeWidth="6"
          strokeLinecap="round"
          strokeDasharray="0 11"
          opacity=".8"
          d="M247 396h34M300 396h34M353 396h34"
        />
      </g>
    </g>
  </g>
);

function Mark({ color, path }: { color: string; path: string }) {
  return (
    <g transform="translate(408 318)">
      <circle r="26" fill={color} stroke="var(--surface)" strokeWidth="6" />
      <path
        className={styles.turned}
        fill="none"
        stroke="var(--surface)"
        strokeWidth="5"
        strokeLinecap="round"
        strokeLinejoin="round"
        d={path}
      />
    </g>
  );
}

type Words = { t: Text };

export const NewCard = () => (
  <Emblem>
    <PaymentCard />
    <Mark color="var(--brand)" path="M-11 0h22M0-11v22" />
  </Emblem>
);

export const DeclinedCard = () => (
  <>
    <PaymentCard />
    <Mark color="var(--warning)" path="M0-11V2M0 11v.1" />
  </>
);

export const Declined = () => (
  <Emblem>
    <DeclinedCard />
  </Emblem>
);

export function Calendar() {
  return (
    <>
      <rect className={styles.shade} x="244" y="308" width="152" height="146" rx="18" />
      <rect x="244" y="302" width="152" height="146" rx="18" fill="var(--brand)" />
      <path
        stroke="var(--brand)"
        strokeWidth="12"
        strokeLinecap="round"
        d="M284 292v20M356 292v20"
      />
      <path
        stroke="var(--on-brand)"
        strokeWidth="14"
        strokeLinecap="round"
        strokeDasharray="0 30"
        opacity=".8"
        d="M275 346h92M275 376h92M275 406h62"
      />
    </>
  );
}

/** A calendar of paid days, in which the plan still works; ticked once that is cancelled. */
export const PaidDays = () => (
  <Emblem>
    <Calendar />
    <g className={styles.after}>
      <Mark color="var(--success)" path="M-11 1l8 8 14-16" />
    </g>
  </Emblem>
);

/** The app's icon, 112 units wide, around its centre. */
export const AppIcon = () => (
  <>
    <rect className={styles.shade} x="-56" y="-50" width="112" height="112" rx="27" />
    <rect x="-56" y="-56" width="112" height="112" rx="27" fill="var(--brand)" />
    <g className={styles.turned}>
      <g transform="translate(-30 -33) scale(2.5)">
        <LogoPin fill="var(--on-brand)" dots="var(--brand)" />
      </g>
    </g>
  </>
);

/** The e-mail with the link, which opens the app. */
export const AppLink = ({ t }: Words) => (
  <>
    <Note y={236} sign="mail" title={t('mail_link.title')} text={t('open.title')} />
    <path className={styles.route} d="M320 336v100" />
    <g transform="translate(320 512)">
      <AppIcon />
    </g>
  </>
);

/** The e-mail with the link, over the map. */
export function Mail() {
  return (
    <>
      <circle cx="320" cy="436" r="128" fill="var(--brand)" opacity=".12" />
      <g transform="translate(230 378) scale(1.7)">
        <Envelope paper="var(--surface)" fold="var(--brand)" />
      </g>
    </>
  );
}
