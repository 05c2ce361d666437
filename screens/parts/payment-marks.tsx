import { Spoken } from '../../islands/parts/spoken.tsx';
import styles from './payment-marks.module.css';

const box = { width: 38, height: 24, viewBox: '0 0 38 24' } as const;

/** The card brands that are accepted, in grey; `label` names them for those who do not see them. */
export function PaymentMarks({ label }: { label: string }) {
  return (
    <p className={styles.marks}>
      <Spoken>{label}</Spoken>
      <svg {...box} aria-hidden="true">
        <path d="M15.9 8.2 13.3 15.8h-1.9L10.1 9.9c-.1-.3-.2-.4-.4-.6-.4-.2-1.1-.5-1.7-.6l.1-.5h2.8c.4 0 .7.3.8.7l.7 3.9 1.8-4.6zm7.2 5.1c0-2-2.6-2.1-2.6-3 0-.3.3-.6.8-.6a3.6 3.6 0 0 1 1.9.3l.3-1.6a5 5 0 0 0-1.8-.3c-1.9 0-3.2 1-3.2 2.4 0 1.1.9 1.6 1.7 2 .7.4 1 .6 1 .9 0 .5-.6.7-1.2.7a4 4 0 0 1-2-.5l-.3 1.7c.4.2 1.3.4 2.2.4 2 0 3.2-1 3.2-2.4zm5 2.5h1.7l-1.5-7.6h-1.5c-.4 0-.7.2-.8.5l-2.7 7.1h1.9l.4-1h2.3zm-2-2.5 1-2.6.5 2.6zm-7.6-5.1-1.5 7.6h-1.8l1.5-7.6z" />
      </svg>
      <svg {...box} aria-hidden="true">
        <circle cx="15.5" cy="12" r="6.5" />
        <circle cx="22.5" cy="12" r="6.5" opacity=".55" />
      </svg>
      <svg {...box} aria-hidden="true">
        <path d="M6.5 15.5 9 8.5h2l2.5 7h-1.9l-.4-1.2H8.8l-.4 1.2zm2.8-2.7h1.4L10 10.6zM14 15.5v-7h2.4l1.3 3.6 1.3-3.6h2.4v7h-1.6v-4.6l-1.6 4.6h-1l-1.6-4.6v4.6zm8.3 0v-7h4.9V10H24v1.2h3v1.5h-3V14h3.2v1.5zm5.3 0 2-3.5-2-3.5h1.9l1.1 2.1 1.1-2.1h1.8l-2 3.5 2 3.5h-1.8l-1.1-2.1-1.1 2.1z" />
      </svg>
      <svg {...box} aria-hidden="true">
        <text
          x="4"
          y="14.5"
          textLength="30"
          lengthAdjust="spacingAndGlyphs"
          className={styles.name}
        >
          DISCOVER
        </text>
      </svg>
    </p>
  );
}
