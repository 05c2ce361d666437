import { screenIds } from '../../../experiments/rules/flows.ts';

export interface FlowForm {
  /** Ids of the screens, in order. */
  screens: string[];
  /** Such as `up 2`, `down 0`, `remove 1` or `add`. */
  step: string;
  /** The screen that `add` inserts. */
  added: string;
  /** The screen that it follows, or `first`; empty for its usual place. */
  place: string;
}

const order: readonly string[] = screenIds;

/** After the last screen that usually comes before it; at the end without a usual place. */
function usualPlace(screens: readonly string[], added: string): number {
  const rank = order.indexOf(added);
  if (rank === -1) return screens.length;
  return screens.findLastIndex((screen) => order.indexOf(screen) < rank) + 1;
}

function withScreen({ screens, added, place }: FlowForm): string[] {
  const isKnown = place === 'first' || screens.includes(place);
  // Not found is -1, so the first place is 0.
  const at = isKnown ? screens.indexOf(place) + 1 : usualPlace(screens, added);
  return screens.toSpliced(at, 0, added);
}

export function steppedScreens(form: FlowForm): string[] {
  const { screens, step, added } = form;
  const [verb, place = ''] = step.split(' ');
  const at = Number(place);
  if (verb === 'add') return added ? withScreen(form) : screens;
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
