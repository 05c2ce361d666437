import { expect, it, vi } from 'vitest';
import { reportUnexpected } from '../../../islands/account/report-unexpected.ts';

const mocks = vi.hoisted(() => ({ stayed: vi.fn(async () => {}), reportError: vi.fn() }));
vi.mock('../../../islands/runtime/navigation/stayed.ts', () => mocks);
vi.mock('../../../islands/runtime/tracking/report-error.ts', () => mocks);

it.each([
  [new TypeError('offline'), [['island_failed', { type: 'TypeError' }]]],
  [new RangeError('a bug'), [['island_failed', { type: 'RangeError' }]]],
  // The Worker has logged what it answered.
  [{ errors: { code: 'unauthorized' } }, []],
  [{}, []],
])('account pages: of %o is reported %j', async (error, reported) => {
  mocks.reportError.mockClear();
  reportUnexpected(error);
  await Promise.resolve();
  expect(mocks.reportError.mock.calls).toEqual(reported);
});

it('account pages: nothing is reported of a page that is being left', async () => {
  mocks.reportError.mockClear();
  mocks.stayed.mockReturnValueOnce(new Promise<void>(() => {}));
  reportUnexpected(new TypeError('cancelled'));
  await Promise.resolve();
  expect(mocks.reportError).not.toHaveBeenCalled();
});
