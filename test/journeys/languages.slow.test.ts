import { expect } from 'vitest';
import { languages, textsOf } from '../locales/flat-texts.ts';
import { allPages } from './all-pages.ts';
import type { Visit } from './browser-session.ts';
import { findClippedText } from './clipped-text.ts';
import { findLayoutFaults } from './layout-faults.ts';
import { cards, payWith } from './pay.ts';
import { full, journey } from './run-journey.ts';
import { phones } from './walk-flow.ts';

const narrow = { width: 350, height: 700 };
const wide: Record<string, { width: number; height: number }> = {
  de: { width: 768, height: 1024 },
  ar: { width: 1280, height: 800 },
};

/** Right-to-left; all languages in the full test. */
const others = languages.filter((language) => (full ? language !== 'en' : language === 'ar'));

const paths = [...new Set(allPages.map(({ path }) => path.replace(/#.*/, '')))];

// every-page.slow.test.ts covers English; the others are a sweep of the full run.
journey.for(full ? others : [])(
  'languages: every page in %s fits and has large targets before any script',
  async (locale, { another }) => {
    const visitor = await another({ locale, javaScriptEnabled: false });
    visitor.expects(/nowhere/, 404);
    const { page } = visitor;
    const faults: string[] = [];
    for (const path of paths) {
      await page.setViewportSize({ width: 320, height: 640 });
      await visitor.open(path);
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
      });
      faults.push(...(await findLayoutFaults(page)).map((fault) => `${path}, ${fault}`));
    }
    expect(faults.join('\n')).toBe('');
  },
);

journey.for(others)('languages: the default flow in %s', async (locale, { another, server }) => {
  const viewport = wide[locale] ?? narrow;
  const visitor = await another({ locale, viewport });
  const { page } = visitor;
  const screens = textsOf(locale, 'screens.json');
  const islands = textsOf(locale, 'islands.json');
  const right = new Intl.Locale(locale).language === 'ar';
  const expectScreen = async (screen: string, ...titles: readonly (string | undefined)[]) => {
    await visitor.arriveAt(screen);
    expect(titles).toContain(await visitor.title());
    expect(await page.locator('html').getAttribute('lang')).toBe(locale);
    await visitor.checkAccessibility();
    expect([screen, await findClippedText(page)]).toEqual([screen, []]);
    expect(await isRightToLeft(visitor)).toBe(right);
    await visitor.shoot(`${locale}-${screen}`);
  };

  await visitor.open();
  await expectScreen('one_pager', screens.get('landing.one_pager.title'));
  await visitor.waitLive('phone-form');
  await visitor.enterPhone(phones.good);
  const ready = islands.get('search-progress.ready');
  // The button changes its colour when the result arrives, so colours are checked afterwards.
  await visitor.sees(islands.get('search-progress.done') ?? '');
  await expectScreen('searching', ready);
  await visitor.button.click();
  await expectScreen('signup', screens.get('signup.title'));
  await visitor.giveEmail();
  await expectScreen('checkout_v3_tr', screens.get('checkout.title'));
  await payWith(visitor, cards.approved);
  await expectScreen('upsell_an_private', screens.get('upsell.an_private.lead'));
  await visitor.tap(islands.get('upsell-offer.skip') ?? '');
  await expectScreen('success', screens.get('success.title'));
  await page.locator('#continue-button[href]').waitFor({ state: 'attached' });
  expect(await findClippedText(page)).toEqual([]);
  expect(server.gatewayCaptures(visitor.email)).toHaveLength(1);
});

/** Whether the page's text is right to left. */
async function isRightToLeft({ page }: Visit): Promise<boolean> {
  const logo = await page.locator('main header svg').first().boundingBox();
  const rtl = (await page.locator('html').getAttribute('dir')) === 'rtl';
  expect((logo?.x ?? 0) > (page.viewportSize()?.width ?? 0) / 2).toBe(rtl);
  return rtl;
}

journey('languages: switching keeps the screen and the data', async ({ another }) => {
  const visitor = await another();
  const { page } = visitor;
  await visitor.open('/?gclid=g1');
  await visitor.enterPhone(phones.good);
  await visitor.arriveAt('searching', '?gclid=g1');
  await page.locator('summary').filter({ hasText: 'English', visible: true }).click();
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await visitor.sees('Nummer geprüft');
  await visitor.arriveAt('searching', '?gclid=g1');
  await visitor.button.click();
  await visitor.arriveAt('signup', '?gclid=g1');
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
});

journey('languages: switching works without JavaScript', async ({ another }) => {
  const visitor = await another({ javaScriptEnabled: false });
  const { page } = visitor;
  await visitor.open('/signup?custom_lng=de&gclid=g1');
  await page.locator('summary').filter({ hasText: 'Deutsch' }).click();
  await page.getByRole('button', { name: 'العربية' }).click();
  await visitor.arriveAt('signup', '?gclid=g1');
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
});
