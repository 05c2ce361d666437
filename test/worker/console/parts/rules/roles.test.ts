import { expect, test } from 'vitest';
import { consoleMode } from '../../../../../worker/console/parts/rules/console-mode.ts';
import { may, roleOf } from '../../../../../worker/console/parts/rules/roles.ts';

const list = 'ann@example.com=owner, *@example.com = viewer ,bob@other.example=boss,*=owner';

test.each([
  ['ann@example.com', 'owner'],
  [' Ann@Example.com ', 'owner'],
  ['eve@example.com', 'viewer'],
  ['eve@example.com.evil.example', null],
  ['ann@example.com@evil.example', null],
  ['bob@other.example', null],
  ['', null],
  ['*@example.com', 'viewer'],
])('console roles: %j is %s', (email, role) => expect(roleOf(list, email)).toBe(role));

test('console roles: a list without the address or its domain gives no role', () => {
  expect(roleOf('', 'ann@example.com')).toBeNull();
  expect(roleOf('=owner', '')).toBeNull();
});

test('console roles: marketers publish, operators handle money and people, owners do both', () => {
  const granted = (['viewer', 'marketer', 'operator', 'owner'] as const).map((role) =>
    (['view', 'publish', 'money', 'people', 'operate'] as const).filter((permission) =>
      may(role, permission),
    ),
  );
  expect(granted).toEqual([
    ['view'],
    ['view', 'publish'],
    ['view', 'money', 'people', 'operate'],
    ['view', 'publish', 'money', 'people', 'operate'],
  ]);
});

const access = { ACCESS_TEAM: 'team', ACCESS_AUDIENCE: 'aud', CONSOLE_ROLES: 'a@b.example=owner' };

test.each([
  [{ ENVIRONMENT: 'production' }, null],
  [{ ENVIRONMENT: 'production', ...access }, 'access'],
  [{ ENVIRONMENT: 'production', ...access, CONSOLE_ROLES: '' }, null],
  [{ ENVIRONMENT: 'production', ...access, ACCESS_AUDIENCE: '' }, null],
  [{ ENVIRONMENT: 'development' }, 'link'],
  [{ ENVIRONMENT: 'development', ...access }, 'access'],
  [{ ENVIRONMENT: 'development', ACCESS_TEAM: 'team' }, null],
])('console mode: %j is %s', (settings, mode) => expect(consoleMode(settings)).toBe(mode));
