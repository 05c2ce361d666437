import { expect, it } from 'vitest';
import type { ScreenId } from '../../worker/experiments/rules/flows.ts';
import { screenIds } from '../../worker/experiments/rules/flows.ts';
import { flows, onlyFlow, otherFlows } from './all-flows.ts';
import type { Visit } from './browser-session.ts';
import { cards, payWith } from './pay.ts';
import { full, journey } from './run-journey.ts';
import { openApp, phones } from './walk-flow.ts';

type Step = (visit: Visit) => Promise<void>;

const pressContinue: Step = ({ button }) => button.click();

const search: Step = async (visit) => {
  await visit.sees('Number checked');
  await visit.button.click();
};

/** A paywall shows its plans first. */
const pay: Step = async (visit) => {
  const more = visit.button.filter({ hasText: /^(Continue to payment|Pay by card)$/ });
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
async function walkThrough(visit: Visit, screens: readonly ScreenId[]): Promise<void> {
  for (const screen of screens) {
    await visit.arriveAt(screen);
    await visit.shoot(screen);
    await steps.find(([start]) => start.test(screen))?.[1](visit);
  }
}

// braintree.slow.test.ts covers the Braintree flow.
const byStripe = flows.filter(([flow]) => (full ? flow !== 'lp11ch8b' : flow === 'combo'));

journey.for(byStripe)(
  'flow %s: from start to end',
  async ([flow, screens], { visitor, server }) => {
    await server.configure(onlyFlow(flow), { flows: otherFlows });
    // default.test.ts covers it on a phone.
    if (flow === 'default') await visitor.page.setViewportSize({ width: 1280, height: 800 });
    await visitor.open();
    await walkThrough(visitor, screens);
    expect(server.gatewayCaptures(visitor.email)).toHaveLength(1);
  },
);

it('flows: cover every screen except the declined page', () => {
  const walked = new Set(flows.flatMap(([, screens]) => screens));
  expect(screenIds.filter((id) => !walked.has(id))).toEqual(['payment_declined']);
});
