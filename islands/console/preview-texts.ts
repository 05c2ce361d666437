const maxLength = 200;

/** What an element of a screen says, as one line; empty where it is not one text. */
function wordsOf(element: Element): string {
  const said = element.getAttribute('placeholder') ?? element.textContent ?? '';
  const words = said.replace(/\s+/g, ' ').trim();
  return words.length <= maxLength ? words : '';
}

/** The frames' own scripts do not run; a click in one opens the form of the text that was clicked. */
function connect(frame: HTMLIFrameElement): void {
  const page = frame.contentDocument;
  if (!page) return;
  let outlined: HTMLElement | null = null;
  page.addEventListener('mouseover', ({ target }) => {
    const element = target as HTMLElement;
    if (outlined) outlined.style.outline = '';
    outlined = wordsOf(element) ? element : null;
    if (outlined) outlined.style.outline = '3px solid #1558d6';
  });
  page.addEventListener('click', (event) => {
    event.preventDefault();
    const words = wordsOf(event.target as Element);
    if (words) location.assign(`/console/texts?${new URLSearchParams({ q: words, open: '1' })}`);
  });
}

for (const frame of document.querySelectorAll<HTMLIFrameElement>('.phone iframe')) {
  frame.addEventListener('load', () => connect(frame));
  if (frame.contentDocument?.readyState === 'complete') connect(frame);
}
for (const hint of document.querySelectorAll('.waiting')) hint.classList.remove('waiting');

export {};
