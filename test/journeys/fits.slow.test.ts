import { expect } from 'vitest';
import { findClippedText } from './clipped-text.ts';
import { journey } from './run-journey.ts';
import { reachStage } from './visitor-stage.ts';

journey('layout: nothing is clipped on tablets and desktops', async ({ another, server }) => {
  const visitor = await another({ viewport: { width: 768, height: 1024 } });
  visitor.expects(/nowhere/, 404);
  await reachStage('number', visitor, server);
  for (const [width, card] of [
    [432, true],
    [768, true],
    [992, false],
  ] as const) {
    await visitor.page.setViewportSize({ width, height: 1024 });
    for (const path of ['/one_pager', '/one_pager_l1', '/searching', '/signup', '/features']) {
      await visitor.open(path);
      expect([width, path, await findClippedText(visitor.page)]).toEqual([width, path, []]);
      const around = await visitor.page
        .locator('main svg')
        .first()
        .evaluate((svg) => getComputedStyle(svg).opacity !== '0');
      expect([width, path, around]).toEqual([width, path, card]);
    }
  }
});

journey(
  'layout: promise, field, button and trust labels are above the fold at 350 by 600',
  async ({ another }) => {
    const visitor = await another({
      viewport: { width: 350, height: 600 },
      javaScriptEnabled: false,
    });
    for (const variant of ['', '_all', '_ai', '_l1', '_l2']) {
      for (const language of ['en', 'de', 'ar']) {
        await visitor.open(`/one_pager${variant}?custom_lng=${language}`);
        const seen = await visitor.page.evaluate(() => {
          const lines = (of: string) => {
            const part = document.querySelector(`main ${of}`);
            const { blockSize, lineHeight } = getComputedStyle(part ?? document.body);
            return part
              ? Math.round(Number.parseFloat(blockSize) / Number.parseFloat(lineHeight))
              : 0;
          };
          const trust = document.querySelector('main ul')?.getBoundingClientRect();
          return { title: lines('h1') <= 2, lead: lines('h1 + p') <= 2, ends: trust?.bottom };
        });
        expect([variant, language, seen]).toMatchObject([
          variant,
          language,
          { title: true, lead: true },
        ]);
        expect(seen.ends).toBeLessThan(600);
      }
    }
  },
);

journey(
  'layout: the price of an extra and its button are above the fold at 360 by 640',
  async ({ another, server }) => {
    const visitor = await another({ viewport: { width: 360, height: 640 } });
    await reachStage('paid', visitor, server);
    for (const language of ['en', 'de', 'ar', 'ru']) {
      await visitor.open(`/upsell_an_private?custom_lng=${language}`);
      const bottom = await visitor.button.evaluate(
        (button) => button.getBoundingClientRect().bottom,
      );
      expect([language, Math.max(bottom, 640)]).toEqual([language, 640]);
    }
  },
);
