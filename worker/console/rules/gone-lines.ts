/** What the end of a thing means, in words; of others it is said that they go away. */
const endings: Record<string, (name: string) => string> = {
  coupon: (name) => `The coupon ${name} stops working.`,
  alias: (name) => `The address /${name} stops working.`,
  variant: (name) => `The variant '${name}' goes away. Whoever has it gets another one.`,
};

/** What a change takes away, one sentence each. @param differences as `documentDiff` words them */
export const goneLines = (differences: readonly string[]): string[] =>
  differences.flatMap((line) => {
    const [, removed, changed] = /^(?:(.+?): removed, had |(coupon \S+): terms )/.exec(line) ?? [];
    if (changed) return [`The ${changed} gets other terms.`];
    if (!removed) return [];
    const [kind = '', ...name] = removed.split(' ');
    return [endings[kind]?.(name.join(' ')) ?? `The ${removed} goes away.`];
  });
