import { expect, it } from 'vitest';
import { screenIds } from '../../worker/experiments/rules/flows.ts';
import { flows, only, others } from './all-flows.ts';
import { journey } from './run-journey.ts';
import { walkThrough } from './steps.ts';

// The one that pays through Braintree is walked whole in braintree.test.ts.
const byStripe = flows.filter(([flow]) => flow !== 'lp11ch8b');

journey.for(byStripe)('the flow %s, walked whole', async ([flow, screens], { visitor, house }) => {
  await house.configure(only(flow), { flows: others });
  // On a phone, default.test.ts looks closer at it.
  if (flow === 'default') await visitor.page.setViewportSize({ width: 1280, height: 800 });
  await visitor.open();
  await walkThrough(visitor, screens);
  expect(house.taken(visitor.email)).toHaveLength(1);
});

it('shows every screen, but for the one of a declined card', () => {
  const walked = new Set(flows.flatMap(([, screens]) => screens));
  expect(screenIds.filter((id) => !walked.has(id))).toEqual(['payment_declined']);
});
