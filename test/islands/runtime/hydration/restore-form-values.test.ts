import { beforeEach, expect, it, vi } from 'vitest';
import { documentWith, element, openPage } from '../../dom.ts';

const input = (name: string, type: string, value: string, checked = false) =>
  Object.assign(element('input', { name, type }), { name, type, value, checked });

/** A page with these fields; `state` is its history entry's. */
async function open(fields: ReturnType<typeof input>[], state: object | null = null) {
  const page = openPage(documentWith(element('main', {}, ...fields)));
  page.history.state = state as never;
  return {
    ...page,
    ...(await import('../../../../islands/runtime/hydration/restore-form-values.ts')),
  };
}

beforeEach(() => vi.resetModules());
it('form restore: a reload restores typed values once, but no password', async () => {
  const typed = [
    input('email', 'email', 'ann@example.com'),
    input('plan', 'radio', 'monthly', true),
    input('plan', 'radio', 'yearly'),
    input('secret', 'password', 'hush'),
  ];
  const before = await open(typed, { depth: 2 });
  expect(before.reloadOnce()).toBe(true);
  expect(before.location.reload).toHaveBeenCalledOnce();
  const { state } = before.history;
  expect(state).toMatchObject({ depth: 2 });
  expect(JSON.stringify(state)).not.toContain('hush');
  expect(before.reloadOnce()).toBe(false);
  expect(before.location.reload).toHaveBeenCalledOnce();

  vi.resetModules();
  const email = input('email', 'email', '');
  const monthly = input('plan', 'radio', 'monthly');
  const yearly = input('plan', 'radio', 'yearly', true);
  const after = await open([email, monthly, yearly], state);
  after.restoreTyped();
  expect(email.value).toBe('ann@example.com');
  expect(monthly).toMatchObject({ value: 'monthly', checked: true });
  expect(yearly.value).toBe('yearly');
  expect(after.history.state).toEqual({ depth: 2, again: true });
  expect(after.reloadOnce()).toBe(false);
});

it('form restore: does nothing without a reload', async () => {
  const email = input('email', 'email', 'kept');
  for (const state of [null, { again: true }]) {
    const page = await open([email], state);
    page.restoreTyped();
    expect(email.value).toBe('kept');
    expect(page.history.replaceState).not.toHaveBeenCalled();
  }
});

it('form restore: of a choice, only the chosen option is checked', async () => {
  const monthly = input('plan', 'radio', 'monthly');
  const yearly = input('plan', 'radio', 'yearly');
  const again = [
    ['plan', 'monthly:true'],
    ['plan', 'yearly:false'],
  ];
  const page = await open([monthly, yearly], { again });
  page.restoreTyped();
  expect([monthly.checked, yearly.checked]).toEqual([true, false]);
});
