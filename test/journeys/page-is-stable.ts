import type { Page } from 'playwright-core';

/** Runs in the page: whether every island in sight lives, and nothing stands for what is to come. */
const isThere = () => {
  const islands = [...document.querySelectorAll('main x-island')];
  const waits = '[data-preloader][role], [data-loading-screen]';
  return (
    islands.every((one) => one.matches('[live], [failed], [when=visible], [when=interaction]')) &&
    ![...document.querySelectorAll(waits)].some((one) => one.checkVisibility())
  );
};

/** Resolves when a page shows what it has to show to this visitor. */
export const settled = async (page: Page): Promise<void> => {
  await page.waitForFunction(isThere);
};
