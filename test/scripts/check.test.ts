import { describe, expect, test, vi } from 'vitest';
import { Unconfirmed } from '../../scripts/ops/admin-client.ts';
import { check, rebuildAll } from '../../scripts/ops/check.ts';
import { opsContext } from './ops-context.ts';

const lost = new Unconfirmed('The site did not answer.');

describe('check', () => {
  const page = (change: object = {}) => ({
    checked: 10,
    unread: [],
    differences: [],
    next: null,
    ...change,
  });

  test('without a difference every page is read, and one line printed', async () => {
    const { context, requests, printed } = opsContext(page({ next: 'a b' }), page({ checked: 3 }));
    expect(await check(context)).toBe(true);
    expect(requests).toEqual([['/check?after='], ['/check?after=a%20b']]);
    expect(printed).toEqual(['13 accounts compared, 0 differences, 0 not compared']);
  });

  const difference = {
    account: 'acc',
    attempt: 'att',
    gateway: 'stripe',
    id: 'capture:pi',
    currency: 'USD',
    ledger: 3999,
    provider: 4000,
    copy: null,
  };

  test('a difference is a row of a table', async () => {
    const { context, printed } = opsContext(page({ differences: [difference] }));
    expect(await check(context)).toBe(false);
    expect(printed).toEqual([
      'account  attempt  gateway    movement  ledger  provider  copy  currency',
      'acc          att   stripe  capture:pi   39.99     40.00  none       USD',
      '10 accounts compared, 1 differences, 0 not compared',
    ]);
  });

  test('leaves out sample data, with a message', async () => {
    const { context, printed } = opsContext(
      page({ differences: [{ ...difference, account: 'sample-20261122-1' }] }),
    );
    expect(await check(context)).toBe(true);
    expect(printed).toEqual([
      'Left out: 1 payments of sample data.',
      '10 accounts compared, 0 differences, 0 not compared',
    ]);
  });

  const row = { account: 'acc', table: 'attempts', id: 'att' };
  test.each<[string, object, string]>([
    ['a missing row', { ...row, kind: 'missing' }, 'missing'],
    ['a row that no object has', { ...row, kind: 'unknown' }, 'unknown to the account'],
    [
      'a row with other values',
      { ...row, kind: 'changed', columns: ['state', 'terms'] },
      'differs: state, terms',
    ],
  ])('%s in D1 is a difference', async (_case, difference, text) => {
    const { context, printed } = opsContext(page({ rows: [difference], next: 'b' }), page());
    expect(await check(context)).toBe(false);
    expect(printed[1]).toMatch(new RegExp(`^ *acc +attempts +att +${text}$`));
    expect(printed).toContain('To write the copy again: npm run ops -- rebuild --reason TEXT');
    const sample = { ...difference, account: 'sample-20261122-1' };
    expect(await check(opsContext(page({ rows: [sample] })).context)).toBe(true);
  });

  test('a difference is exit code 1', async () => {
    const before = { code: process.exitCode, token: process.env.ADMIN_TOKEN };
    process.env.ADMIN_TOKEN = 'secret';
    // Test files share modules, and another one replaces the commands' actions.
    vi.resetModules();
    const { program } = await import('../../scripts/ops.ts');
    const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    for (const [rows, code] of [
      [[], undefined],
      [[{ ...row, kind: 'missing' }], 1],
    ] as const) {
      process.exitCode = undefined;
      vi.stubGlobal('fetch', async () => Response.json({ data: page({ rows }) }));
      await program.parseAsync(['check', '--site', 'https://funnel.example'], { from: 'user' });
      expect(process.exitCode).toBe(code);
    }
    printed.mockRestore();
    vi.unstubAllGlobals();
    process.exitCode = before.code;
    process.env.ADMIN_TOKEN = before.token;
  });

  test('each attempt and account that could not be read is listed', async () => {
    const unread = [
      { account: 'acc', attempt: 'att' },
      { account: 'other', attempt: null },
    ];
    const { context, printed } = opsContext(page({ unread }));
    expect(await check(context)).toBe(false);
    expect(printed).toEqual([
      'Not compared: acc, attempt att. The payment provider did not answer.',
      'Not compared: other. The payment provider did not answer.',
      '10 accounts compared, 0 differences, 2 not compared',
    ]);
  });

  test('a lost page is requested again', async () => {
    const { context, waits } = opsContext(lost, page());
    expect(await check(context)).toBe(true);
    expect(waits).toEqual([1000]);
  });
});

describe('a copy in D1 that lost accounts', () => {
  test('is no all-clear', async () => {
    const empty = { checked: 0, unread: [], differences: [] };
    const { context, printed } = opsContext(
      { ...empty, next: 'listed:' },
      { ...empty, checked: 1, lost: ['acc'], next: null },
    );
    expect(await check(context)).toBe(false);
    expect(printed[0]).toBe('Lost from the copy in D1: acc.');
  });

  test('is rebuilt page by page, and says where to go on', async () => {
    const { context, printed, requests } = opsContext(
      { accounts: 20, rows: 90, next: 'c1' },
      { accounts: 3, rows: 8, next: null },
    );
    await rebuildAll('', 'lost', context);
    expect(requests).toEqual([
      ['/rebuild', { after: '', reason: 'lost' }],
      ['/rebuild', { after: 'c1', reason: 'lost' }],
    ]);
    expect(printed).toEqual([
      '20 accounts. To go on from here: --after c1',
      '98 rows of 23 accounts written.',
    ]);
  });
});
