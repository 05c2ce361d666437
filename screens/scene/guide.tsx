import type { Text } from '../../locales/index.ts';
import { Place, Say } from './svg-text.tsx';

const chapters = [
  ['phone', 420],
  ['school', 496],
  ['travel', 572],
  ['alert', 648],
] as const;

export function GuideCover({ t }: { t: Text }) {
  return (
    <>
      <path fill="var(--surface)" d="M175 145h290v610H175z" />
      <path fill="var(--tint)" d="M175 145h290v230H175z" />
      <path
        fill="var(--brand)"
        d="M258 208h124a10 10 0 0 1 10 10v134H258a10 10 0 0 1-10-10V218a10 10 0 0 1 10-10z"
      />
      <path fill="none" stroke="var(--on-brand)" strokeWidth="3" opacity=".5" d="M266 208v144" />
      <Place at={[328, 268]} sign="home" size={30} />
      <path
        fill="none"
        stroke="var(--on-brand)"
        strokeWidth="6"
        strokeLinecap="round"
        d="M292 322h72"
      />
      {chapters.map(([chapter, y]) => (
        <g key={chapter}>
          <circle cx="218" cy={y} r="22" fill="var(--tint)" />
          <Place at={[218, y]} sign={chapter} size={17} />
          <Say at={[256, y - 2]}>{t(`upsell.benefits.${chapter}.title`)}</Say>
          <path
            stroke="var(--line)"
            strokeWidth="6"
            strokeLinecap="round"
            d={`M259 ${y + 16}h150`}
          />
        </g>
      ))}
    </>
  );
}
