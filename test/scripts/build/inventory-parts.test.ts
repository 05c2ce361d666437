import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { withoutReasons } from '../../../scripts/build/inventory-parts.ts';

test.each(['script-inventory', 'ad-network-hosts'])(
  '%s: the Worker has every host and no reason',
  (name) => {
    const code = readFileSync(`worker/http/${name}.ts`, 'utf8');
    const left = withoutReasons(code);
    const lists = (text: string) =>
      text.match(/^ {4}(?:who|kinds|sources|policies|pays|network):/gm);
    expect(lists(left)).toEqual(lists(code));
    expect(left).not.toMatch(/^ {4}(?:why|published|integrity):/m);
    const hosts = (text: string) => text.match(/'https:\/\/[^']*'/g)?.length ?? 0;
    const cited = code.match(/^ {4}published:\s*'https/gm)?.length ?? 0;
    expect(hosts(left)).toBe(hosts(code) - cited);
  },
);
