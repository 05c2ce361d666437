import { expect } from 'vitest';
import type { ScreenId } from '../../worker/experiments/rules/flows.ts';
import { flows, onlyFlow, otherFlows } from './all-flows.ts';
import type { Visit } from './browser-session.ts';
import { openCard } from './pay.ts';
import { full, journey } from './run-journey.ts';
import { phones } from './walk-flow.ts';

const pressContinue = (visit: Visit) => visit.button.click();

/** The payment section says that it needs JavaScript, and keeps the data. */
async function tryToPay(visit: Visit): Promise<void> {
  const { page } = visit;
  await visit.sees('$59.99');
  const behind = page.locator('#pay-button');
  if (await page.locator('a#continue-button').count()) await visit.button.click();
  await openCard(visit);
  visit.expects(/(checkout|paycheck)/, 422);
  await ((await behind.count()) ? behind : visit.button).click();
  await visit.sees('Paying needs JavaScript. Please turn it on and reload the page.');
}

const steps: readonly [start: RegExp, step: (visit: Visit) => Promise<void>][] = [
  [/^one_pager/, (visit) => visit.enterPhone(phones.good)],
  [/^(questions|searching|features)/, pressContinue],
  [/^signup/, (visit) => visit.giveEmail()],
  [/^(checkout|paycheck)/, tryToPay],
];

const query = '?gclid=g1';
const isPaid = (screen: ScreenId) => /^(upsell|success)/.test(screen);

journey.for(full ? flows : flows.slice(0, 1))(
  'no script: the flow %s works up to the payment',
  async ([flow, screens], { another, server }) => {
    await server.configure(onlyFlow(flow), { flows: otherFlows });
    const visitor = await another({ javaScriptEnabled: false });
    await visitor.open(`/${query}`);
    for (const screen of screens.filter((screen) => !isPaid(screen))) {
      if (screen !== screens[0]) await visitor.arriveAt(screen, query);
      await steps.find(([start]) => start.test(screen))?.[1](visitor);
    }
    await visitor.shoot(`payment-without-script-${flow}`);
  },
);

journey('no script: a bad number is refused with a link back', async ({ another }) => {
  const visitor = await another({ javaScriptEnabled: false });
  visitor.expects(/one_pager/, 400);
  await visitor.open('/one_pager');
  await visitor.enterPhone(phones.bad);
  await visitor.sees('Phone number is incorrect');
  await visitor.tap('Go back');
  await visitor.arriveAt('one_pager');
});

journey('no script: nothing is shown as bought', async ({ another }) => {
  const visitor = await another({ javaScriptEnabled: false });
  for (const screen of ['success', 'upsell_an_private', 'upsell_guide']) {
    await visitor.open(`/${screen}`);
    const titles = await visitor.page.locator('h1:visible').allTextContents();
    expect([screen, titles]).toEqual([screen, ['Your plan comes first']]);
  }
});
