import type { Text } from '../../locales/index.ts';
import { Benefits } from './benefits.tsx';
import { Steps } from './steps.tsx';

type Words = { t: Text };

const invite = ['number', 'invitation', 'map'] as const;
const alerts = ['places', 'note', 'yes'] as const;
const phones = [
  ['makes', 'phone'],
  ['abroad', 'travel'],
  ['answer', 'chat'],
] as const;

/** From the number to the map, in three steps. */
export function InviteSteps({ t }: Words) {
  return (
    <section className="stack gap-20">
      <h2>{t('landing.steps.title')}</h2>
      <Steps
        steps={invite.map((step) => ({
          title: t(`landing.steps.${step}.title`),
          text: t(`landing.steps.${step}.text`),
        }))}
      />
    </section>
  );
}

/** How a place alert works. */
export function AlertSteps({ t }: Words) {
  return (
    <section className="stack gap-20">
      <h2>{t('landing.alerts.title')}</h2>
      <Steps
        steps={alerts.map((step) => ({
          title: t(`landing.alerts.${step}.title`),
          text: t(`landing.alerts.${step}.text`),
        }))}
      />
    </section>
  );
}

/** Supported phones and countries, and what the other person has to do. */
export function PhoneFacts({ t }: Words) {
  return (
    <section className="stack gap-20">
      <h2>{t('landing.phones.title')}</h2>
      <Benefits
        items={phones.map(([fact, icon]) => ({
          icon,
          title: t(`landing.phones.${fact}.title`),
          text: t(`landing.phones.${fact}.text`),
        }))}
      />
    </section>
  );
}
