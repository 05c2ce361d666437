import { afterEach, expect } from 'vitest';
import { AnnouncedCharges } from '../../../worker/payments/storage/announced-charges.ts';

const found: string[] = [];

const { check } = AnnouncedCharges.prototype;

AnnouncedCharges.prototype.check = function audited(...of) {
  const unannounced = check.apply(this, of);
  found.push(
    ...unannounced.map(({ amount, at }) => `${new Date(at).toISOString().slice(0, 10)} ${amount}`),
  );
  return unannounced;
};

/** The charges of this test that nobody announced, for a test that expects some. */
export const takeUnannounced = (): string[] => found.splice(0);

/** After every test: each charge was announced to its buyer. */
afterEach(() => expect(takeUnannounced()).toEqual([]));
