import { expect, test } from 'vitest';
import { ask } from '../request.ts';

const uuid = '5d6c3c5e-8a0e-4b6f-9d5f-0a1b2c3d4e5f';
const had = ['arm=e1%3Aa', '_fbp=fb.1.1.2', '_ga=GA1.1.1.2', 'lng=de', '__stripe_mid=m', 'x_fbc=1'];
const page = 'http://get.funnel.test/one_pager';

/** The cookies that an answer to a browser with these sets. */
async function setBy(cookies: readonly string[], headers = {}, address = page) {
  const cookie = [`userUuid=${uuid}`, ...cookies].join('; ');
  const response = await ask(address, { headers: { 'cf-ipcountry': 'DE', cookie, ...headers } });
  return response.headers.getSetCookie().sort();
}

const gone = [
  ...['_fbp', '_ga'].flatMap((name) => [
    `${name}=; Max-Age=0; Domain=funnel.test; Path=/`,
    `${name}=; Max-Age=0; Domain=get.funnel.test; Path=/`,
    `${name}=; Max-Age=0; Path=/`,
  ]),
  'arm=; Max-Age=0; Path=/',
];
const short = `userUuid=${uuid}; Path=/; SameSite=Lax`;

test('tracking cookies: when consent has expired the id becomes a session cookie and the others are deleted', async () => {
  expect(await setBy(had)).toEqual([...gone, short]);
});

test('tracking cookies: consent to an older text counts as expired', async () => {
  const asked = await setBy([...had, 'consent=0.yes']);
  expect(asked).toEqual([...gone, 'consent=; Max-Age=0; Path=/', short]);
});

test('tracking cookies: after a no they are deleted again, after a yes kept', async () => {
  expect(await setBy([...had, 'consent=1.no'])).toEqual(gone);
  expect(await setBy([...had.slice(1), 'consent=1.yes'])).toEqual([]);
});

test.each([
  ['a call of a script', {}, 'http://get.funnel.test/api/v1/cf-country'],
  ['a page fetched in advance', { 'sec-purpose': 'prefetch' }, page],
  ['a country that asks for no yes', { 'cf-ipcountry': 'US' }, page],
])('tracking cookies: %s changes nothing', async (_, headers, address) => {
  expect(await setBy(had.slice(1), headers, address)).toEqual([]);
});
