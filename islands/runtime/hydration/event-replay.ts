type Action = () => void;

/** Buffered actions by the island, link or form that contains them, and by the touched element. */
export const buffered = new Map<Element, Map<HTMLElement, Action>>();

/** Handlers that `first-touch.ts` replaces. */
export const beforeFirstTouch = {
  /** Selects elements outside islands that nothing handles yet. */
  outside: 'a[data-navigate], form[method=post]',
  /** Clicks that have not been counted yet, in order. */
  clicked: [] as Element[],
  count(target: Element): void {
    beforeFirstTouch.clicked.push(target);
  },
};

/** The island, link or form that no code on the page handles yet. */
function unanswered(target: Element): Element | null {
  const owner = target.closest?.('x-island') ?? target.closest?.(beforeFirstTouch.outside);
  return owner && !owner.matches('[live], [failed]') ? owner : null;
}

function buffer(owner: Element, event: Event, target: HTMLElement, action: Action) {
  event.preventDefault();
  event.stopPropagation();
  const actions = buffered.get(owner) ?? new Map<HTMLElement, Action>();
  buffered.set(owner, actions.set(target, action));
  // Time of the tap, ms of this document.
  owner.setAttribute('data-buffered', `${event.timeStamp}`);
}

export function replay(owner: Element): void {
  const actions = buffered.get(owner);
  buffered.delete(owner);
  for (const action of actions?.values() ?? []) action();
}

export function fallBackToBrowser(owner: Element): void {
  if (!buffered.has(owner)) return;
  owner.setAttribute('failed', '');
  replay(owner);
}

/** @param onTouch is called with an island, a link or a form that no code handles yet */
export function captureEarlyEvents(onTouch: (owner: Element) => void): void {
  const on = <Type extends keyof WindowEventMap>(
    type: Type,
    listen: (event: WindowEventMap[Type], owner: Element | null) => void,
  ) =>
    addEventListener(
      type,
      (event) => {
        const owner = unanswered(event.target as Element);
        listen(event, owner);
        if (owner) onTouch(owner);
      },
      true,
    );
  for (const type of ['pointerdown', 'focusin', 'keydown'] as const) on(type, () => {});
  on('submit', (event, owner) => {
    const form = event.target as HTMLFormElement;
    const { submitter } = event;
    // Older Safari has no `requestSubmit`.
    const submit = () => (form.requestSubmit ? form.requestSubmit(submitter) : submitter?.click());
    if (owner) buffer(owner, event, form, submit);
  });
  on('click', (event, owner) => {
    const touched = (event.target as Element).closest?.<HTMLButtonElement>('button, a[href]');
    const { ctrlKey, metaKey, shiftKey } = event;
    // A submit button's form is buffered instead; a link has no `form`.
    const submits = touched?.form && touched.type === 'submit';
    if (owner && touched && !submits && !(ctrlKey || metaKey || shiftKey)) {
      buffer(owner, event, touched, () => touched.click());
      // Otherwise the event is counted when it is handled.
    } else beforeFirstTouch.count(event.target as Element);
  });
}
