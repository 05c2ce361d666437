import type { ScreenId } from '../../worker/experiments/rules/flows.ts';
import type { Visit } from './browser-session.ts';
import { cards, payWith } from './pay.ts';
import { openApp, phones } from './walk-flow.ts';

type Step = (visit: Visit) => Promise<void>;

const pressContinue: Step = ({ button }) => button.click();

const search: Step = async (visit) => {
  await visit.sees('Number checked');
  await visit.button.click();
};

/** A paywall shows its plans first. */
const pay: Step = async (visit) => {
  const more = visit.page.getByRole('link', { name: 'Continue', exact: true });
  if (await more.isVisible()) await more.click();
  await payWith(visit, cards.approved);
};

const steps: readonly [start: RegExp, step: Step][] = [
  [/^one_pager/, (visit) => visit.enterPhone(phones.good)],
  [/^searching/, search],
  [/^signup/, (visit) => visit.giveEmail()],
  [/^(questions|features)/, pressContinue],
  [/^(checkout|paycheck)/, pay],
  [/^upsell/, (visit) => visit.tap('No thanks')],
  [/^success/, openApp],
];

/** Walks the screens in order, acting on each like a visitor. */
export async function walkThrough(visit: Visit, screens: readonly ScreenId[]): Promise<void> {
  for (const screen of screens) {
    await visit.arriveAt(screen);
    await visit.shoot(screen);
    await steps.find(([start]) => start.test(screen))?.[1](visit);
  }
}
