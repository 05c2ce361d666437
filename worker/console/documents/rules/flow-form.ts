export interface FlowForm {
  /** Ids of the screens, in order. */
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
  if ((verb !== 'up' && verb !== 'down') || to < 0) return screens;
  return screens.toSpliced(at, 1).toSpliced(to, 0, screens[at] ?? '');
}

interface NamedFlow {
  name: string;
  screens: readonly string[];
}

const firstDifference = (one: readonly string[], other: readonly string[]) => {
  const at = one.findIndex((screen, index) => screen !== other[index]);
  return at === -1 ? one.length - 1 : at;
};

/** A flow's name, its first screen, and each screen where it departs from another flow with the same beginning. */
export function flowLabel({ name, screens }: NamedFlow, flows: readonly NamedFlow[]): string {
  const same = flows.find((other) => other.screens.join() === screens.join());
  if (same && same.name !== name) return `${name}: the same screens as ${same.name}`;
  const sameStart = flows.filter((other) => other.name !== name && other.screens[0] === screens[0]);
  const forks = sameStart
    .filter((other) => other.screens.join() !== screens.join())
    .map((other) => firstDifference(screens, other.screens));
  const shown = [...new Set([0, ...forks])].sort((a, b) => a - b);
  const words = shown.map((at) => {
    const follows = shown.includes(at - 1);
    return `${at === 0 ? '' : follows ? ' → ' : ' … '}${screens[at] ?? ''}`;
  });
  return `${name}: ${words.join('')}${shown.includes(screens.length - 1) ? '' : ' …'}`;
}
