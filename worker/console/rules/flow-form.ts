/** What a form does to the order of screens before it is reviewed. */
export interface FlowForm {
  /** Ids of screens in their order. */
  screens: string[];
  /** Such as `up 2`, `down 0`, `remove 1` or `add`. */
  step: string;
  /** The screen that `add` appends. */
  added: string;
}

export function steppedScreens({ screens, step, added }: FlowForm): string[] {
  const [verb, place = ''] = step.split(' ');
  const at = Number(place);
  if (verb === 'add') return added ? [...screens, added] : screens;
  if (!Number.isInteger(at) || at < 0 || at >= screens.length) return screens;
  if (verb === 'remove') return screens.toSpliced(at, 1);
  const to = verb === 'up' ? at - 1 : at + 1;
  if ((verb !== 'up' && verb !== 'down') || to < 0 || to >= screens.length) return screens;
  return screens.toSpliced(at, 1).toSpliced(to, 0, screens[at] ?? '');
}
