import { expect, it } from 'vitest';
import { screenIds } from '../../worker/experiments/rules/flows.ts';
import { flows, onlyFlow, otherFlows } from './all-flows.ts';
import { full, journey } from './run-journey.ts';
import { walkThrough } from './steps.ts';

// braintree.slow.test.ts covers the Braintree flow.
const byStripe = flows.filter(([flow]) => (full ? flow !== 'lp11ch8b' : flow === 'combo'));

journey.runIf(full).for(byStripe)(
  'flow %s: from start to end',
  async ([flow, screens], { visitor, server }) => {
    await server.configure(onlyFlow(flow), { flows: otherFlows });
    // default.test.ts covers it on a phone.
    if (flow === 'default') await visitor.page.setViewportSize({ width: 1280, height: 800 });
    await visitor.open();
    await walkThrough(visitor, screens);
    expect(server.taken(visitor.email)).toHaveLength(1);
  },
);

it('flows: cover every screen except the declined page', () => {
  const walked = new Set(flows.flatMap(([, screens]) => screens));
  expect(screenIds.filter((id) => !walked.has(id))).toEqual(['payment_declined']);
});
