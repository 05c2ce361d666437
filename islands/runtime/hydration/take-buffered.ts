import { buffered } from './event-replay.ts';

interface BufferedAction {
  /** The submitted form, or the clicked button or link. */
  target: HTMLElement;
  restore: () => void;
}

export function takeBuffered(owner: Element): BufferedAction | undefined {
  const actions = buffered.get(owner);
  for (const [target, action] of actions ?? []) {
    actions?.delete(target);
    return { target, restore: () => void actions?.set(target, action) };
  }
}
