import { env } from 'cloudflare:test';
import { expect, test } from 'vitest';
import { consoleApp } from '../../../worker/console/console-app.tsx';
import { may, type Permission, type Role } from '../../../worker/console/parts/rules/roles.ts';
import { asRole, send } from './console-client.ts';

/** Those whom the role table refuses something; an owner may send every form. */
const roles: readonly Role[] = ['viewer', 'marketer', 'operator'];

/** The permission that each form needs, by the beginning of its path; null for forms that everybody may send. */
const permissions: readonly (readonly [path: RegExp, permission: Permission | null])[] = [
  [/^\/(sign-in|time-zone)$/, null],
  [/^\/people\/a\/(refund|end)\//, 'money'],
  [/^\/people/, 'people'],
  [/^\/operations\//, 'operate'],
  [
    /^\/(experiments|review|publish|schedule|preview|flows|offers|prices|documents|texts)/,
    'publish',
  ],
];

/** The paths of a route, with each alternative of its parameters. */
function pathsOf(route: string): string[] {
  const [pattern, name = '', choices = name] = /:(\w+)(?:\{([^}]+)\})?/.exec(route) ?? [];
  if (pattern === undefined) return [route];
  const values = name === 'account' ? ['a'] : choices.split('|');
  return values.flatMap((value) => pathsOf(route.replace(pattern, value)));
}

const posts = new Set(
  consoleApp.routes
    .filter(({ method }) => method === 'POST')
    .flatMap(({ path }) => pathsOf(path.replace('/console', ''))),
);

const forms = [...posts].map((path) => ({
  path,
  permission: permissions.find(([start]) => start.test(path))?.[1],
}));

test('console permissions: the permission of each form is known', () => {
  expect(forms.length).toBeGreaterThan(20);
  expect(forms.filter(({ permission }) => permission === undefined)).toEqual([]);
});

test.each(roles)(
  'console permissions: a %s may send no form that the role excludes',
  async (role) => {
    const person = await asRole(role);
    const excluded = forms.filter(({ permission }) => permission && !may(role, permission));
    expect(excluded.length).toBeGreaterThan(5);
    for (const { path } of excluded) {
      const response = await send(`/console${path}`, { reason: 'r' }, person);
      const isRefused = (await response.text()).includes('Ask an owner of this funnel for a role');
      expect([path, response.status, isRefused]).toEqual([path, 403, true]);
    }
    // The guard comes before the work.
    expect((await env.DB.prepare('SELECT * FROM audit').all()).results).toEqual([]);
    expect((await env.FUNNEL.list()).keys).toEqual([]);
  },
);
