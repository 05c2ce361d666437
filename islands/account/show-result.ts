/**
 * Replaces the page's title and lead with texts for which space is reserved; `lead` changes the latter.
 * @returns a function that undoes it
 */
export function showResult(lead?: string): () => void {
  const main = document.querySelector('main');
  const heading = main?.querySelector<HTMLElement>('h1[data-later]');
  const title = heading?.querySelector('span');
  const later = main?.querySelector('.lead > span:last-child');
  if (!main || !heading || !title || !later || main.hasAttribute('data-checked')) return () => {};
  const swap = () => {
    const { textContent: before } = title;
    title.textContent = heading.dataset.later ?? '';
    heading.dataset.later = before;
    main.toggleAttribute('data-checked');
  };
  swap();
  if (lead) later.textContent = lead;
  heading.focus();
  return swap;
}
