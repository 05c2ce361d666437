type Action = () => void;

const buffered = new Map<Element, Map<Element, Action>>();

const unhydrated = (event: Event) =>
  (event.target as Element).closest?.<HTMLElement>('x-island:not([live], [failed])');

function buffer(island: HTMLElement, event: Event, target: HTMLElement, action: Action) {
  event.preventDefault();
  event.stopPropagation();
  const actions = buffered.get(island) ?? new Map<Element, Action>();
  buffered.set(island, actions.set(target, action));
  island.dataset.buffered = `${event.timeStamp}`;
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
  const on = (type: string, listen: (island: HTMLElement, event: MouseEvent) => void) =>
    addEventListener(
      type,
      (event) => {
        const island = unhydrated(event);
        if (!island) return;
        listen(island, event as MouseEvent);
        onTouch(island);
      },
      true,
    );
  for (const type of ['pointerdown', 'focusin', 'keydown']) on(type, () => {});
  on('submit', (island, event) => {
    const form = event.target as HTMLFormElement;
    const { submitter } = event as Event as SubmitEvent;
    buffer(island, event, form, () => form.requestSubmit(submitter));
  });
  on('click', (island, event) => {
    const touched = (event.target as Element).closest<HTMLButtonElement>('button, a[href]');
    if (!touched || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // A submit button's form is buffered instead; a link has no `form`.
    if (touched.form && touched.type === 'submit') return;
    buffer(island, event, touched, () => touched.click());
  });
}
