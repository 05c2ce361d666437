import { buffered } from './event-replay.ts';

interface Waiting {
  /** A submitted form, a clicked button or link. */
  target: HTMLElement;
  putBack: () => void;
}

/** Takes the oldest event that waits. */
export function takeWaiting(owner: Element): Waiting | undefined {
  const actions = buffered.get(owner);
  for (const [target, action] of actions ?? []) {
    actions?.delete(target);
    return { target, putBack: () => void actions?.set(target, action) };
  }
}
