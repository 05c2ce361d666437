import type { Text } from '../../locales/index.ts';
import { Person, Place, Say } from './svg-text.tsx';

const asked = 'M247 290h176a18 18 0 0 1 18 18v38H247a18 18 0 0 1-18-18v-20a18 18 0 0 1 18-18z';
const answered = 'M217 362h176a18 18 0 0 1 18 18v20a18 18 0 0 1-18 18H199v-38a18 18 0 0 1 18-18z';

/** A chat with one person in private mode. */
export function Chat({ t }: { t: Text }) {
  return (
    <>
      <path fill="var(--surface)" d="M175 145h290v610H175z" />
      <Person at={[224, 226]} initial={t('scene.them')} color="var(--other)" />
      <Say at={[260, 222]}>{t('scene.name')}</Say>
      <Say at={[260, 244]} as="soft">
        {t('upsell.benefits.chat.title')}
      </Say>
      <path stroke="var(--line)" d="M175 266h290" />
      <path fill="var(--brand)" d={asked} />
      <Say at={[335, 324]} as="action">
        {t('scene.ask')}
      </Say>
      <path fill="var(--tint)" d={answered} />
      <Say at={[219, 396]}>{t('scene.answer')}</Say>
      <rect x="191" y="574" width="258" height="76" rx="18" fill="var(--tint)" />
      <Place at={[222, 612]} sign="quiet" size={18} />
      <Say at={[250, 618]}>{t('upsell.benefits.quiet.title')}</Say>
      <rect x="191" y="674" width="258" height="48" rx="24" fill="none" stroke="var(--edge)" />
      <circle cx="425" cy="698" r="14" fill="var(--brand)" />
    </>
  );
}
