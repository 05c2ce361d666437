type Action = () => void;

const buffered = new Map<Element, Map<Element, Action>>();

const unhydrated = (event: Event) =>
  (event.target as Element).closest?.('x-island:not([live], [failed])');

function buffer(island: Element, event: Event, target: HTMLElement, action: Action) {
  event.preventDefault();
  event.stopPropagation();
  const actions = buffered.get(island) ?? new Map<Element, Action>();
  buffered.set(island, actions.set(target, action));
  island.setAttribute('data-buffered', '');
}

export function replay(island: Element): void {
  const actions = buffered.get(island);
  buffered.delete(island);
  for (const action of actions?.values() ?? []) action();
}

export function fallBackToBrowser(island: Element): void {
  if (!buffered.has(island)) return;
  island.setAttribute('failed', '');
  replay(island);
}

export function captureEarlyEvents(onTouch: (island: Element) => void): void {
  const on = (type: string, listen: (island: Element, event: Event) => void) =>
    addEventListener(
      type,
      (event) => {
        const island = unhydrated(event);
        if (!island) return;
        listen(island, event);
        onTouch(island);
      },
      true,
    );
  for (const type of ['pointerdown', 'focusin', 'keydown']) on(type, () => {});
  on('submit', (island, event) => {
    const form = event.target as HTMLFormElement;
    const { submitter } = event as SubmitEvent;
    buffer(island, event, form, () => form.requestSubmit(submitter));
  });
  on('click', (island, event) => {
    const touched = (event.target as Element).closest<HTMLButtonElement>('button, a[href]');
    const { ctrlKey, metaKey, shiftKey } = event as MouseEvent;
    if (!touched || ctrlKey || metaKey || shiftKey) return;
    // A submit button's form is buffered instead; a link has no `form`.
    if (touched.form && touched.type === 'submit') return;
    buffer(island, event, touched, () => touched.click());
  });
}
