import { map } from 'nanostores';
import { beforeEach, expect, it, vi } from 'vitest';
import { fakeBrowser } from '../../browser.ts';

const local = new Map<string, string>();

beforeEach(() => {
  vi.resetModules();
  local.clear();
  fakeBrowser({ local });
});
const open = async () => ({
  ...(await import('../../../../islands/runtime/storage/update-slice.ts')),
  ...(await import('../../../../islands/runtime/storage/persist.ts')),
});

it('update slice: a store that loads later adopts the change', async () => {
  const { updateSlice, sliceOf, persist } = await open();
  updateSlice('map', { phone: '2125550100', country: 'US' });
  updateSlice('map', { country: 'CA' });
  expect(sliceOf('map')).toMatchObject({ phone: '2125550100', country: 'CA' });
  const $map = map({ phone: '', country: '', phoneError: '' });
  persist('map', $map);
  expect($map.get()).toEqual({ phone: '2125550100', country: 'CA', phoneError: '' });
});

it('update slice: a loaded store is notified, and the change is stored', async () => {
  const { updateSlice, sliceOf, persist } = await open();
  const $map = map({ phone: '', country: '' });
  persist('map', $map);
  const listener = vi.fn();
  $map.listen(listener);
  updateSlice('map', { phone: '30123' });
  expect(listener).toHaveBeenCalledOnce();
  expect($map.get()).toEqual({ phone: '30123', country: '' });
  expect(sliceOf('map')).toMatchObject({ phone: '30123' });
});
