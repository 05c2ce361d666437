import { expect } from 'vitest';
import { onlyFlow } from './all-flows.ts';
import type { Visit } from './browser-session.ts';
import { journey } from './run-journey.ts';
import { eventNamesOf, leaveAfter, tapsAwaitTracking } from './sent-events.ts';
import { phones } from './walk-flow.ts';

const choose = ({ page }: Visit, answer: string) => page.getByText(answer, { exact: true }).click();

async function openQuestions(visitor: Visit): Promise<void> {
  await visitor.open();
  await visitor.arriveAt('questions');
}

async function lookUpNumber(visitor: Visit): Promise<void> {
  await visitor.arriveAt('one_pager');
  await visitor.enterPhone(phones.good);
  await visitor.arriveAt('searching');
  await visitor.sees('Ready to ask them');
}

const shown = ({ page }: Visit, within: string) =>
  page
    .locator(`main ${within}`)
    .evaluateAll((found) =>
      found
        .filter((element) => element.checkVisibility({ visibilityProperty: true }))
        .map((element) => element.textContent),
    );

/** The focused heading's description for a screen reader, besides its name. */
async function description({ page }: Visit): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send('Accessibility.getFullAXTree');
  await session.detach();
  const heading = nodes.find(({ role }) => role?.value === 'heading');
  return heading?.description?.value ?? '';
}

journey(
  'questions: two taps answer them and shape the next screens',
  async ({ visitor, server }) => {
    await server.configure(onlyFlow('ask'));
    await tapsAwaitTracking(visitor);
    await openQuestions(visitor);
    expect(await description(visitor)).toBe('Step 1 of 4: Number');
    await visitor.checkAccessibility('questions');
    await choose(visitor, 'My child');
    await visitor.page.locator('#name').fill('Mia');
    await visitor.checkAccessibility('questions-name');
    await choose(visitor, 'A day out');
    await visitor.arriveAt('one_pager');
    expect(await shown(visitor, 'h1 > span > span')).toEqual(['Know Mia is OK.']);
    await lookUpNumber(visitor);
    expect(await shown(visitor, 'figure p > span > span')).toEqual([
      expect.stringMatching(/for 1\u00a0day/),
    ]);
    expect(await shown(visitor, 'h2 > bdi')).toEqual(['Mia', '+1 212 555 0100']);
    await visitor.button.click();

    await visitor.arriveAt('signup_testim');
    expect(await description(visitor)).toBe('Step 2 of 4: Account');
    const named = ['Where should we send Mia’s answer?'];
    expect(await shown(visitor, 'h1 > span > span > span')).toEqual(named);
    expect(await shown(visitor, 'blockquote')).toEqual([
      'My son liked that he was asked first. He said yes on the bus.',
    ]);
    await visitor.shoot('signup-after-questions');
    await visitor.page.reload();
    await expect.poll(() => shown(visitor, 'h1 > span > span > span')).toEqual(named);
    expect(visitor.page.url()).not.toMatch(/child|outing|Mia/);
    const eventNames = await eventNamesOf(visitor, server);
    await leaveAfter(visitor, server, 'questions_answered', eventNames);
    await expect.poll(eventNames).toContain('questions_answered');
  },
);

journey('questions: the button skips them', async ({ visitor, server }) => {
  await server.configure(onlyFlow('ask'));
  await openQuestions(visitor);
  expect(await shown(visitor, '#continue-button > span > span')).toEqual(['Skip']);
  await visitor.button.click();
  await lookUpNumber(visitor);
  await visitor.button.click();
  await visitor.arriveAt('signup_testim');
  const titles = await shown(visitor, 'h1 > span > span > span');
  expect(titles).toHaveLength(1);
  expect(titles).toEqual(['Where should we send their answer?']);
});
