import { announce } from '../runtime/navigation/announce.ts';
import { nextFrame } from '../runtime/navigation/next-frame.ts';

/**
 * Replaces the page's title and lead with texts for which space is reserved; `lead` changes the latter.
 * @returns a function that undoes it
 */
export function showResult(lead?: string): () => void {
  const main = document.querySelector('main');
  const heading = main?.querySelector<HTMLElement>('h1[data-later]');
  const title = heading?.querySelector('span');
  const later = main?.querySelector('.lead > span:last-child');
  if (!main || !heading || !title || main.hasAttribute('data-checked')) return () => {};
  const swap = () => {
    const { textContent: before } = title;
    title.textContent = heading.dataset.later ?? '';
    heading.dataset.later = before;
    main.toggleAttribute('data-checked');
  };
  swap();
  // The same text keeps its line break.
  if (lead && later && later.textContent !== lead) later.textContent = lead;
  heading.focus();
  return swap;
}

/** Shows what is wrong with a link. Screen readers announce it too. */
export function showProblem(message: string): () => void {
  const undo = showResult(message);
  // A screen reader drops an announcement when the focus moves.
  nextFrame().then(() => announce(message));
  return undo;
}
