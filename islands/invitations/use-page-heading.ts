import { useLayoutEffect } from 'react';

/**
 * The page's title and lead follow the state; nothing below moves up, because they keep their height.
 * @param isDone whether the tick beside the title stays. Without it the title is a new element, so that none moves
 */
export function usePageHeading(title: string, lead: string, isDone: boolean): void {
  useLayoutEffect(() => {
    const heading = document.querySelector<HTMLElement>('main [data-with] h1');
    const below = document.querySelector<HTMLElement>('main [data-with] .lead');
    const row = heading?.parentElement;
    if (!title || !heading || !below || !row) return;
    const before = [heading, below].map((each) => [each, [...each.childNodes]] as const);
    const height = `${row.offsetHeight}px`;
    const next = heading.cloneNode() as HTMLElement;
    const shown = isDone ? heading : next;
    shown.style.minBlockSize = height;
    below.style.minBlockSize = `${below.offsetHeight}px`;
    shown.textContent = title;
    below.textContent = lead;
    if (!isDone) {
      row.style.display = 'none';
      row.after(next);
    }
    return () => {
      next.remove();
      row.style.removeProperty('display');
      for (const [each, nodes] of before) each.replaceChildren(...nodes);
    };
  }, [title, lead, isDone]);
}
