import type { Text } from '../../locales/index.ts';
import styles from './scene.module.css';
import type { SceneState } from './scene.tsx';

const row = 'var(--line)';

function Person({ x, initial, color }: { x: number; initial: string; color: string }) {
  return (
    <>
      <circle cx={x} cy="630" r="22" fill={color} stroke="var(--surface)" strokeWidth="3" />
      <g transform={`translate(${x} 637)`}>
        <text className={`${styles.initial} ${styles.small}`}>{initial}</text>
      </g>
    </>
  );
}

function NumberField() {
  return (
    <>
      <rect x="199" y="606" width="242" height="48" rx="12" fill="none" stroke="var(--edge)" />
      <path
        stroke="var(--ink-soft)"
        strokeWidth="6"
        strokeLinecap="round"
        strokeDasharray="0 14"
        d="M218 630h44M276 630h44M334 630h44"
      />
      <rect x="199" y="668" width="242" height="52" rx="12" fill="var(--brand)" />
      <rect x="286" y="690" width="68" height="8" rx="4" fill="var(--on-brand)" />
    </>
  );
}

function Checking() {
  return (
    <>
      <rect x="199" y="612" width="242" height="6" rx="3" fill={row} />
      <rect x="199" y="612" width="158" height="6" rx="3" fill="var(--brand)" />
      <rect x="199" y="640" width="150" height="10" rx="5" fill={row} />
      <rect x="199" y="664" width="196" height="10" rx="5" fill={row} />
      <rect x="199" y="688" width="118" height="10" rx="5" fill={row} />
    </>
  );
}

function Found({ t }: { t: Text }) {
  return (
    <>
      <Person x={224} initial={t('scene.them')} color="var(--other)" />
      <rect x="258" y="616" width="128" height="10" rx="5" fill="var(--ink-soft)" />
      <rect x="258" y="636" width="88" height="8" rx="4" fill={row} />
      <rect x="199" y="676" width="242" height="44" rx="12" fill="var(--tint)" />
      <rect x="282" y="694" width="76" height="8" rx="4" fill="var(--brand)" />
    </>
  );
}

function Plans() {
  return (
    <>
      <rect
        x="200"
        y="604"
        width="240"
        height="52"
        rx="12"
        fill="var(--tint)"
        stroke="var(--brand)"
        strokeWidth="2"
      />
      <circle cx="224" cy="630" r="7" fill="var(--surface)" stroke="var(--brand)" strokeWidth="6" />
      <rect x="246" y="625" width="92" height="10" rx="5" fill="var(--ink-soft)" />
      <rect x="200" y="668" width="240" height="52" rx="12" fill="none" stroke={row} />
      <circle cx="224" cy="694" r="9" fill="none" stroke="var(--edge)" strokeWidth="2" />
      <rect x="246" y="689" width="68" height="10" rx="5" fill={row} />
    </>
  );
}

function Together({ t }: { t: Text }) {
  return (
    <>
      <Person x={224} initial={t('scene.you')} color="var(--brand)" />
      <Person x={260} initial={t('scene.them')} color="var(--other)" />
      <rect x="298" y="616" width="112" height="10" rx="5" fill="var(--ink-soft)" />
      <rect x="298" y="636" width="72" height="8" rx="4" fill={row} />
      <rect x="199" y="676" width="242" height="44" rx="12" fill="var(--tint)" />
      <path
        className={styles.upright}
        fill="none"
        stroke="var(--success)"
        strokeWidth="4"
        strokeLinecap="round"
        strokeLinejoin="round"
        d="M309 698l8 8 16-17"
      />
    </>
  );
}

const contents = { number: NumberField, ring: Checking, pin: Found, plan: Plans, app: Together };

/** What the drawn phone shows below its map, without words: it stands beside the real thing. */
export function Sheet({ t, state }: { t: Text; state: SceneState }) {
  const Content = contents[state];
  return (
    <>
      <path fill="var(--surface)" d="M175 606a28 28 0 0 1 28-28h234a28 28 0 0 1 28 28v150H175z" />
      <rect x="302" y="587" width="36" height="4" rx="2" fill={row} />
      <Content t={t} />
    </>
  );
}
