import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  codeInDatabase,
  codeText,
  databasesForHash,
  extensionsOf,
  idIn,
  numberInCode,
  numberInId,
} from '../../../../worker/platform/rules/database-number.ts';

const numbers = [1, 2, 15, 16, 255, 256, 257, 4095, 4096];
const code = () => codeText(randomBytes(16));

test('database numbers: an id carries its database, and is a UUID', () => {
  for (const number of [0, ...numbers]) {
    const ids = Array.from({ length: 50 }, () => idIn(number, crypto.randomUUID()));
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) {
      expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-[48][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
      expect(numberInId(id)).toBe(number);
    }
  }
});

test('database numbers: an id from the time of a single database belongs to DB, whatever it begins with', () => {
  for (let count = 0; count < 2_000; count += 1) expect(numberInId(crypto.randomUUID())).toBe(0);
  for (const id of ['', 'ann', '0001', 'pi_0001', 'sample-1']) expect(numberInId(id)).toBe(0);
});

test('database numbers: a code carries its database; a code without a number belongs to DB, whatever it begins with', () => {
  for (const number of [0, ...numbers]) {
    for (let count = 0; count < 100; count += 1)
      expect(numberInCode(codeInDatabase(number, code()))).toBe(number);
  }
  const others = ['', '0001', `${'0001'.padEnd(22, 'a')}`, `00g1${code()}`, `00001${code()}`];
  for (const other of others) expect([other, numberInCode(other)]).toEqual([other, 0]);
});

test('codes: survive lower case and the removal of punctuation at their end', () => {
  for (const bytes of [new Uint8Array(16), new Uint8Array(32).fill(255), randomBytes(32)])
    expect(codeText(bytes)).toMatch(/^[\da-z]{22}$/);
  expect(new Set(Array.from({ length: 1000 }, code)).size).toBe(1000);
});

test('database numbers: extensions are read from their counts', () => {
  expect(extensionsOf()).toEqual([{ first: 0, last: 0 }]);
  expect(extensionsOf('')).toEqual([{ first: 0, last: 0 }]);
  expect(extensionsOf('16, 64')).toEqual([
    { first: 17, last: 64 },
    { first: 1, last: 16 },
    { first: 0, last: 0 },
  ]);
  for (const wrong of ['0', '16,16', '16,4', 'many', '1.5', '-1', '4097'])
    expect(() => extensionsOf(wrong)).toThrow(RangeError);
});

/** The hash that `numbersFor` takes. */
const hashOf = (key: string) => createHmac('sha256', 'secret').update(key).digest().readUInt32BE(0);

test('database numbers: an extension moves no key: old databases are still searched, new rows go to the new ones', () => {
  const steps = ['', '1', '1,16', '1,16,64', '1,16,64,256'];
  for (let count = 0; count < 300; count += 1) {
    const hash = hashOf(`email:${count}`);
    let before: number[] = [];
    for (const step of steps) {
      const extensions = extensionsOf(step);
      const places = databasesForHash(hash, extensions);
      const [{ first, last } = { first: -1, last: -1 }] = extensions;
      expect(places[0]).toBeGreaterThanOrEqual(first);
      expect(places[0]).toBeLessThanOrEqual(last);
      expect(places.slice(1)).toEqual(before);
      before = places;
    }
  }
});

test('database numbers: keys are spread evenly over the newest databases', () => {
  const [keys, databases] = [16_000, 16];
  const counts = new Map<number, number>();
  for (let count = 0; count < keys; count += 1) {
    const [place = 0] = databasesForHash(hashOf(`email:${count}`), extensionsOf(`${databases}`));
    counts.set(place, (counts.get(place) ?? 0) + 1);
  }
  expect(counts.size).toBe(databases);
  // A thousand each; six standard deviations are 190.
  for (const count of counts.values()) expect(Math.abs(count - keys / databases)).toBeLessThan(190);
});
