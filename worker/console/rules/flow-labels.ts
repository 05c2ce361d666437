interface NamedFlow {
  name: string;
  screens: readonly string[];
}

const firstDifference = (one: readonly string[], other: readonly string[]) => {
  const at = one.findIndex((screen, index) => screen !== other[index]);
  return at === -1 ? one.length - 1 : at;
};

/** A flow by its name, its first screen, and each one at which it leaves a flow that begins alike. */
export function flowLabel({ name, screens }: NamedFlow, flows: readonly NamedFlow[]): string {
  const same = flows.find((other) => other.screens.join() === screens.join());
  if (same && same.name !== name) return `${name}: the same screens as ${same.name}`;
  const alike = flows.filter((other) => other.name !== name && other.screens[0] === screens[0]);
  const forks = alike
    .filter((other) => other.screens.join() !== screens.join())
    .map((other) => firstDifference(screens, other.screens));
  const shown = [...new Set([0, ...forks])].sort((a, b) => a - b);
  const words = shown.map((at, index) => {
    const follows = index === 0 || at === (shown[index - 1] ?? 0) + 1;
    return `${index === 0 ? '' : follows ? ' → ' : ' … '}${screens[at] ?? ''}`;
  });
  return `${name}: ${words.join('')}${(shown.at(-1) ?? 0) < screens.length - 1 ? ' …' : ''}`;
}
