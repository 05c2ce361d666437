import { useLayoutEffect } from 'react';
import { readItem, writeItem } from '../runtime/storage/state-storage.ts';

const key = 'funnel:1:yes';

/** Whether this tab has not shown the yes yet: its pins meet once. */
function isFirstYes(id: string): boolean {
  if (readItem('sessionStorage', key) === id) return false;
  writeItem('sessionStorage', key, id);
  return true;
}

/** The page's title and lead follow the state of its only invitation. The title is a new element, so that none moves. */
export function usePageHeading(title: string, lead: string, state: string, id: string): void {
  useLayoutEffect(() => {
    const page = document.querySelector('main');
    const heading = page?.querySelector<HTMLElement>('[data-with] h1');
    const below = page?.querySelector<HTMLElement>('[data-with] .lead');
    if (!title || !page || !heading || !below) return;
    const before = [...below.childNodes];
    const next = heading.cloneNode() as HTMLElement;
    next.textContent = title;
    below.textContent = lead;
    heading.hidden = true;
    heading.after(next);
    if (state === 'accepted') page.dataset.yes = isFirstYes(id) ? 'first' : '';
    if (state === 'accepted' || state === 'not_shared') page.dataset.answered = '';
    return () => {
      next.remove();
      heading.hidden = false;
      below.replaceChildren(...before);
      delete page.dataset.yes;
      delete page.dataset.answered;
    };
  }, [title, lead, state, id]);
}
