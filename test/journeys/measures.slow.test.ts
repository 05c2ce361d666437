import { expect } from 'vitest';
import type { Visit } from './browser-session.ts';
import { full, journey } from './run-journey.ts';
import { reachStage } from './visitor-stage.ts';
import { phones } from './walk-flow.ts';

interface Box {
  x: number;
  width: number;
  height: number;
  radius: string;
}

/** Boxes of visible matches, in whole pixels. */
const boxes = ({ page }: Visit, selector: string): Promise<Box[]> =>
  page.locator(`${selector}:visible`).evaluateAll((found) =>
    found.map((element) => {
      const { x, width, height } = element.getBoundingClientRect();
      const [px, w, h] = [x, width, height].map(Math.round) as [number, number, number];
      return { x: px, width: w, height: h, radius: getComputedStyle(element).borderRadius };
    }),
  );

const widthOf = async (visitor: Visit, selector: string) =>
  (await boxes(visitor, selector))[0]?.width;

/** Gaps between neighbours in a row. */
async function gaps(visitor: Visit, selector: string): Promise<number[]> {
  const row = await boxes(visitor, selector);
  return row.slice(1).map(({ x }, at) => x - (row[at]?.x ?? 0) - (row[at]?.width ?? 0));
}

/** Opens a screen; its boxes have their sizes before any script. */
async function open(visitor: Visit, screen: string, width = 390): Promise<void> {
  await visitor.page.setViewportSize({ width, height: 844 });
  await visitor.open(`/${screen}`);
}

const style = ({ page }: Visit, selector: string, property: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

/** The page's footer, with padding for a fixed button. */
const foot = '[data-foot]:visible';

journey('layout: has the sizes of the specification', async ({ visitor, server }) => {
  await reachStage('paid', visitor, server);

  await open(visitor, 'one_pager');
  expect(await boxes(visitor, '#continue-button')).toMatchObject([{ height: 56, radius: '12px' }]);
  expect(await boxes(visitor, 'div:has(> #phone)')).toMatchObject([{ height: 51 }]);
  expect(await style(visitor, foot, 'padding-bottom')).toBe('16px');
  for (const [width, content] of [
    [320, 288],
    [350, 318],
    [431, 343],
    [432, 343],
    [991, 464],
    [992, 343],
    [1280, 464],
  ] as const) {
    await visitor.page.setViewportSize({ width, height: 844 });
    expect([width, await widthOf(visitor, '#continue-button')]).toEqual([width, content]);
    expect([width, (await boxes(visitor, 'h1'))[0]?.x]).toEqual([
      width,
      Math.round(((width < 992 ? width : width / 2) - content) / 2),
    ]);
  }

  await open(visitor, 'searching');
  expect(await gaps(visitor, '#step > span')).toEqual([5, 5, 5]);
  await open(visitor, 'searching_2');
  expect(await boxes(visitor, '[role=progressbar] svg')).toMatchObject([
    { width: 174, height: 174 },
  ]);
  for (const [width, height] of [
    [360, 640],
    [1280, 800],
  ] as const) {
    await visitor.page.setViewportSize({ width, height });
    const button = await visitor.button.boundingBox();
    expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(height);
  }
  await open(visitor, 'searching_ai');
  expect(await widthOf(visitor, '[role=progressbar] svg')).toBeLessThan(100);

  await open(visitor, 'signup', 320);
  await visitor.page.locator('#email').fill('ada@');
  for (const shortcut of await boxes(visitor, '[data-shortcut]')) {
    expect(shortcut.width).toBeGreaterThanOrEqual(90);
  }

  for (const width of [320, 390, 768, 1280]) {
    await visitor.page.setViewportSize({ width, height: 844 });
    const google = (await boxes(visitor, '[data-google]'))[0];
    expect([width, google?.width]).toEqual([width, Math.min(343, width - 32)]);
  }
});

journey('layout: plans have the sizes of the specification', async ({ visitor, server }) => {
  await reachStage('account', visitor, server);

  const plan = 'label:has([name=plan])';
  for (const screen of ['checkout_v3_pp', 'checkout_v3_tr']) {
    await open(visitor, screen);
    const bodies = await boxes(visitor, `${plan} > :last-child`);
    expect([screen, ...bodies.map(({ height }) => height)]).toEqual([screen, 82, 82]);
    expect(await boxes(visitor, `${plan} > :first-child:not(:last-child)`)).toMatchObject([
      { height: 18 },
    ]);
  }

  await visitor.page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await style(visitor, plan, 'transition-duration')).toMatch(/0\.16s/);
  await visitor.page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await style(visitor, plan, 'transition-duration')).toBe('0s');

  await open(visitor, 'paycheck_combo_3d');
  expect(await style(visitor, foot, 'padding-bottom')).toBe('88px');
  expect(await style(visitor, 'div:has(> [data-bar])', 'padding-bottom')).toBe('24px');
});

/** Where the look-up's result shows its map, and the screen of the phone in the scene. */
const mapAndPhone = ({ page }: Visit) =>
  page.evaluate(() => {
    const boxOf = (selector: string) => {
      const found = document.querySelector(selector) as Element;
      const { left, top, right, bottom } = found.getBoundingClientRect();
      return { left, top, right, bottom };
    };
    return {
      map: boxOf('form > figure'),
      screen: boxOf('[data-scene] path[d^="M175 145h290"]'),
      button: boxOf('#continue-button'),
    };
  });

journey(
  'look-up: desktops show the map on the phone, phones below the facts and Continue',
  async ({ visitor }) => {
    const { page } = visitor;
    await page.setViewportSize({ width: 1280, height: 800 });
    await visitor.open('/');
    await visitor.enterPhone(phones.good);
    await page.locator('form > figure [role="img"]').waitFor();
    for (const [width, height] of [
      [992, 600],
      [1280, 800],
      [1920, 1080],
    ] as const) {
      await page.setViewportSize({ width, height });
      const { map, screen } = await mapAndPhone(visitor);
      const isInside =
        map.left >= screen.left &&
        map.right <= screen.right &&
        map.top >= screen.top &&
        map.bottom <= screen.bottom;
      expect({ width, isInside, map, screen }).toMatchObject({ isInside: true });
    }
    await page.setViewportSize({ width: 390, height: 844 });
    const { map, button } = await mapAndPhone(visitor);
    expect(button.bottom).toBeLessThan(map.top);
  },
);

/** Until the next review is shown: the frames in which the reviews moved, and those in which the button covered them. */
const slide = ({ page }: Visit) =>
  page.locator('x-island[name=review-carousel]').evaluate(async (island) => {
    const list = island.querySelector('ul') as HTMLElement;
    const button = (island.querySelector('button') as HTMLElement).getBoundingClientRect();
    const shift = () => Math.abs(list.scrollLeft) % (list.clientWidth + 12);
    const seen = { moved: 0, covered: 0 };
    for (let isMoving = false; shift() > 0 || !isMoving; ) {
      isMoving ||= shift() > 0;
      // The list cuts its texts off at its edges.
      const { left, right, top, bottom } = list.getBoundingClientRect();
      const beside = right <= button.left || button.right <= left;
      const isCovered = !beside && button.top < bottom && top < button.bottom;
      seen.moved += Number(isMoving);
      seen.covered += Number(isCovered);
      await new Promise(requestAnimationFrame);
    }
    return seen;
  });

journey('reviews: the pause button covers no text while they slide', async ({ visitor }) => {
  await visitor.page.emulateMedia({ reducedMotion: 'no-preference' });
  const looks = [
    ['ar', 390],
    ['en', 320],
    ['de', 1280],
  ] as const;
  for (const [language, width] of full ? looks : looks.slice(0, 1)) {
    await open(visitor, `signup_testim?custom_lng=${language}`, width);
    await visitor.page.locator('x-island[name=review-carousel]').scrollIntoViewIfNeeded();
    await visitor.waitLive('review-carousel');
    const { moved, covered } = await slide(visitor);
    expect([language, moved > 3, covered]).toEqual([language, true, 0]);
  }
});
