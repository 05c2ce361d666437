import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { calledResources } from '../../../worker/payments/gateways/stripe/called-resources.ts';
import needsBuild from '../../needs-build.ts';

needsBuild();

test('Stripe’s client: the build contains the parts that the Worker calls, and no others', () => {
  const [file = ''] = globSync('dist/worker/assets/stripe*.js');
  const client = readFileSync(file, 'utf8');
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const paths = Object.entries(calledResources).flatMap(([name, parts]) =>
    parts === 'all' ? [snake(name)] : parts.map((part) => `${snake(name)}/${snake(part)}`),
  );
  const called = [...client.matchAll(/\/v1\/(\w+(?:\/[a-z]\w+)?)/g)].map(([, path]) => path ?? '');
  for (const path of paths)
    expect(
      called.some((one) => one.startsWith(path)),
      path,
    ).toBe(true);
  // A group creates its parts: without it they exist, but cannot be called.
  for (const part of Object.values(calledResources).flat())
    if (part !== 'all') expect(client).toMatch(new RegExp(`this\\.${part}=new `));
  const others = called.filter((one) => !paths.some((path) => one.startsWith(path)));
  expect(others).toEqual([]);
});
