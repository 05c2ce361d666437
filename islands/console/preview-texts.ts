const maxLength = 200;
const outline = '3px solid #1558d6';

const visibleText = (element: Element) =>
  (element.getAttribute('placeholder') ?? element.textContent ?? '').replace(/\s+/g, ' ').trim();

/** The text of a screen's element on one line; empty unless it is a single text. */
function wordsOf(element: Element): string {
  const words = visibleText(element);
  return words.length <= maxLength ? words : '';
}

/** The frames' own scripts do not run; a click in one opens the form of the clicked text. */
function openClicked(page: Document): void {
  let outlined: HTMLElement | null = null;
  page.addEventListener('mouseover', ({ target }) => {
    const element = target as HTMLElement;
    if (outlined) outlined.style.outline = '';
    outlined = wordsOf(element) ? element : null;
    if (outlined) outlined.style.outline = outline;
  });
  page.addEventListener('click', (event) => {
    event.preventDefault();
    const words = wordsOf(event.target as Element);
    if (words) location.assign(`/console/texts?${new URLSearchParams({ q: words, open: '1' })}`);
  });
}

/** Text for screen readers is a pixel in size. */
function isVisible(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect();
  return width > 1 && height > 1;
}

/** Outlines the smallest element that contains the text, a headline if one does, else the first; scrolls to it. */
function pointAt(page: Document, words: string): void {
  const all = [...page.body.querySelectorAll<HTMLElement>('*')].filter(
    (element) => isVisible(element) && visibleText(element).includes(words),
  );
  const smallest = all.filter((one) => !all.some((other) => other !== one && one.contains(other)));
  const found = smallest.find((element) => element.closest('h1, h2')) ?? smallest[0];
  // Hidden text, such as a closed form's, is in a visible element with much other text.
  if (!found || visibleText(found).length > words.length + maxLength) return;
  found.style.outline = outline;
  const { top } = found.getBoundingClientRect();
  page.defaultView?.scrollBy(0, top - 200);
}

function connect(frame: HTMLIFrameElement): void {
  const page = frame.contentDocument;
  if (!page?.body) return;
  const { words } = (frame.parentElement as HTMLElement).dataset;
  if (words === undefined) openClicked(page);
  else pointAt(page, words);
}

for (const frame of document.querySelectorAll<HTMLIFrameElement>('.phone iframe')) {
  frame.addEventListener('load', () => connect(frame));
  if (frame.contentDocument?.readyState === 'complete') connect(frame);
}
for (const hint of document.querySelectorAll('.waiting')) hint.classList.remove('waiting');

export {};
