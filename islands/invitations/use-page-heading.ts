import { useLayoutEffect } from 'react';

/**
 * The page's title and lead follow the state; nothing below moves up, because both keep their height.
 * @param isDone whether the tick beside the title stays
 */
export function usePageHeading(title: string, lead: string, isDone: boolean): void {
  useLayoutEffect(() => {
    const heading = document.querySelector<HTMLElement>('main [data-with] h1');
    const below = document.querySelector<HTMLElement>('main [data-with] .lead');
    const mark = heading?.previousElementSibling as HTMLElement | null | undefined;
    if (!title || !heading || !below) return;
    const before = [heading, below].map((each) => [each, [...each.childNodes]] as const);
    for (const each of [heading, below]) each.style.minBlockSize = `${each.offsetHeight}px`;
    heading.textContent = title;
    below.textContent = lead;
    if (mark && !isDone) mark.style.display = 'none';
    return () => {
      for (const [each, nodes] of before) each.replaceChildren(...nodes);
      mark?.style.removeProperty('display');
    };
  }, [title, lead, isDone]);
}
