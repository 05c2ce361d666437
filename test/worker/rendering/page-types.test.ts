import { expect, test } from 'vitest';
import { pageKind } from '../../../worker/rendering/page-types.ts';

test.each([
  ['checkout_v3_tr', 'payment'],
  ['one_pager', 'ordinary'],
  ['success', 'ordinary'],
  ['invited', 'private'],
  ['manage', 'ordinary'],
  ['card', 'payment'],
  ['no-screen', 'ordinary'],
  [null, 'ordinary'],
])('page type: %s is %s', (screen, kind) => expect(pageKind(screen)).toBe(kind));
