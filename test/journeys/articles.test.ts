import { expect } from 'vitest';
import { full, journey } from './run-journey.ts';
import { startAtCheckout } from './walk-flow.ts';

const articles = ['terms', 'privacy', 'refunds', 'support', 'cookies', 'imprint'];

journey.runIf(full)(
  'legal pages: open from any screen, are readable, and Back returns',
  async ({ visitor }) => {
    const { page } = visitor;
    await visitor.open('/one_pager');
    const links = await page
      .getByRole('navigation', { name: 'Help and legal' })
      .getByRole('link')
      .evaluateAll((found) => found.map((link) => link.getAttribute('href')));
    expect(links).toEqual(expect.arrayContaining(articles.map((id) => `/${id}`)));
    for (const id of articles) {
      await page.locator(`a[href="/${id}"]`).last().click();
      await visitor.arriveAt(id);
      await visitor.waitLive('toast');
      await page.goBack();
      await visitor.arriveAt('one_pager');
    }
  },
);

journey.runIf(full)(
  'legal pages: the terms open without losing a typed card',
  async ({ visitor }) => {
    await startAtCheckout(visitor);
    await visitor.waitLive('card-form');
    const opened = visitor.page.context().waitForEvent('page');
    await visitor.page.getByRole('link', { name: 'Terms', exact: true }).click();
    await (await opened).locator('main[data-screen=terms]').waitFor();
    await visitor.arriveAt('checkout_v3_tr');
  },
);
