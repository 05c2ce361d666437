import { buffered } from './event-replay.ts';

interface Waiting {
  /** The submitted form, or the clicked button or link. */
  target: HTMLElement;
  putBack: () => void;
}

export function takeWaiting(owner: Element): Waiting | undefined {
  const actions = buffered.get(owner);
  for (const [target, action] of actions ?? []) {
    actions?.delete(target);
    return { target, putBack: () => void actions?.set(target, action) };
  }
}
