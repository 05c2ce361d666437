import type { Page } from 'playwright-core';

/** Runs in the page: every visible island is live and no skeleton is left. Without scripts nothing follows. */
const isStable = () => {
  if (matchMedia('(scripting: none)').matches) return true;
  const islands = [...document.querySelectorAll('main x-island')];
  const waits = '[data-preloader][role], [data-loading-screen]';
  return (
    islands.every((one) => one.matches('[live], [failed], [when=visible], [when=interaction]')) &&
    ![...document.querySelectorAll(waits)].some((one) => one.checkVisibility())
  );
};

export const waitUntilStable = async (page: Page): Promise<void> => {
  await page.waitForFunction(isStable);
};
