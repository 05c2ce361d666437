import { expect } from 'vitest';
import type { Visit } from './browser-session.ts';
import { cards } from './pay.ts';
import { journey } from './run-journey.ts';
import { phones } from './walk-flow.ts';

const farthest = 30;

/** Whether the focused element has a visible focus ring. */
const focusedElement = ({ page }: Visit) =>
  page.evaluate(() => {
    for (let at = document.activeElement; at && at !== document.body; at = at.parentElement) {
      const { outlineStyle, outlineWidth } = getComputedStyle(at);
      if (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) return true;
    }
    return false;
  });

/** Presses Tab until an element has focus; every stop must be visible. */
async function tabTo(visit: Visit, selector: string): Promise<void> {
  const { page } = visit;
  await page.locator(selector).first().waitFor();
  for (let presses = 0; presses < farthest; presses += 1) {
    const before = await page.evaluateHandle(() => document.activeElement);
    await page.keyboard.press('Tab');
    // Focus leaves a cross-origin frame with a delay, and is on the body meanwhile.
    await page.waitForFunction((was) => {
      const at = document.activeElement;
      return at !== was && at !== document.body;
    }, before);
    const at = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120) ?? '');
    if (!at.startsWith('<iframe')) expect([at, await focusedElement(visit)]).toEqual([at, true]);
    const there = await page.evaluate(
      (wanted) => !!document.activeElement?.matches(wanted),
      selector,
    );
    if (there) return;
  }
  throw new Error(`Tab does not lead to ${selector}`);
}

const field = (title: string) => `iframe[title="${title}"]`;

/** Tabs into a provider's field and types once its frame receives keys. */
async function typeInto(visit: Visit, title: string, text: string): Promise<void> {
  await tabTo(visit, field(title));
  const input = visit.page.frameLocator(field(title)).locator('input');
  await expect
    .poll(() => input.evaluate((own) => document.hasFocus() && document.activeElement === own))
    .toBe(true);
  await visit.page.keyboard.type(text);
}

journey(
  'keyboard: the default flow with Tab, Enter and Space only',
  async ({ visitor, server }) => {
    const { page } = visitor;
    const { keyboard } = page;
    await visitor.open();
    await visitor.waitLive('phone-form');
    await tabTo(visitor, '#phone');
    await keyboard.type(phones.good);
    await keyboard.press('Enter');

    await visitor.arriveAt('searching');
    await visitor.sees('Number checked');
    await tabTo(visitor, '#continue-button');
    await keyboard.press('Enter');

    await visitor.arriveAt('signup');
    await visitor.waitLive('email-form');
    await tabTo(visitor, '#email');
    await keyboard.type(visitor.email.replace('example.com', 'ex'));
    await tabTo(visitor, '[data-shortcut]');
    await keyboard.press('Space');
    await tabTo(visitor, '#continue-button');
    await keyboard.press('Space');

    await visitor.arriveAt('checkout_v3_tr');
    await page.locator(field('Secure CVC input frame')).waitFor();
    await tabTo(visitor, '[name=plan]');
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowUp');
    await typeInto(visitor, 'Secure card number input frame', cards.approved.replaceAll(' ', ''));
    await typeInto(visitor, 'Secure expiration date input frame', '1234');
    await typeInto(visitor, 'Secure CVC input frame', '123');
    await tabTo(visitor, '#continue-button');
    await keyboard.press('Enter');

    await visitor.arriveAt('upsell_an_private');
    await visitor.waitLive('upsell-offer');
    await tabTo(visitor, '#continue-button');
    await tabTo(visitor, 'a[href="/success"]');
    await keyboard.press('Enter');

    await visitor.arriveAt('success');
    await page.locator('#continue-button[href]').waitFor();
    await tabTo(visitor, '#continue-button');
    expect(server.gatewayCaptures(visitor.email)).toHaveLength(1);
  },
);
