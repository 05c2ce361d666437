type Action = () => void;

/** What the visitor did to an island before it lived, by button or form, in the order it was done. */
const held = new Map<Element, Map<Element, Action>>();

const sleeping = (event: Event) =>
  (event.target as Element).closest?.('x-island:not([live], [failed])');

function hold(island: Element, event: Event, target: HTMLElement, action: Action) {
  event.preventDefault();
  event.stopPropagation();
  const actions = held.get(island) ?? new Map<Element, Action>();
  held.set(island, actions.set(target, action));
  island.setAttribute('data-buffered', '');
}

/** Does, once, what was held back for an island; for one that lives now. */
export function replay(island: Element): void {
  const actions = held.get(island);
  held.delete(island);
  for (const action of actions?.values() ?? []) action();
}

/** Lets the browser itself do what was held back: the island's code did not arrive. */
export function fallBackToBrowser(island: Element): void {
  if (!held.has(island)) return;
  island.setAttribute('failed', '');
  replay(island);
}

/** Watches for touches of sleeping islands: each wakes at once, and its submits and taps are kept. */
export function captureEarlyEvents(touched: (island: Element) => void): void {
  const on = (type: string, listen: (island: Element, event: Event) => void) =>
    addEventListener(
      type,
      (event) => {
        const island = sleeping(event);
        if (!island) return;
        listen(island, event);
        touched(island);
      },
      true,
    );
  for (const type of ['pointerdown', 'focusin', 'keydown']) on(type, () => {});
  on('submit', (island, event) => {
    const form = event.target as HTMLFormElement;
    const { submitter } = event as SubmitEvent;
    hold(island, event, form, () => form.requestSubmit(submitter));
  });
  on('click', (island, event) => {
    const touched = (event.target as Element).closest<HTMLElement>('button, a[href]');
    const { ctrlKey, metaKey, shiftKey } = event as MouseEvent;
    if (!touched || ctrlKey || metaKey || shiftKey) return;
    if (touched instanceof HTMLButtonElement && touched.form && touched.type === 'submit') return;
    hold(island, event, touched, () => touched.click());
  });
}
