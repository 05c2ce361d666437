import { expect, test } from 'vitest';
import { pageKind } from '../../worker/page-kind.ts';

test.each([
  ['checkout_v3_tr', 'payment'],
  ['one_pager', 'ordinary'],
  ['success', 'ordinary'],
  ['invited', 'private'],
  ['manage', 'ordinary'],
  ['no-screen', 'ordinary'],
  [null, 'ordinary'],
])('%s has the policy of a page of kind %s', (screen, kind) => {
  expect(pageKind(screen)).toBe(kind);
});
