import type { BrowserContextOptions } from 'playwright-core';
import { expect } from 'vitest';
import { pollTimeout } from '../poll-timeout.ts';
import { findings } from '../worker/canary/search.ts';
import { needlesOf } from '../worker/canary/secrets.ts';
import type { Trace } from '../worker/canary/trace.ts';
import type { Visit } from './browser-session.ts';
import { outside } from './console-and-network-errors.ts';
import { emailedLink } from './emailed-links.ts';
import { canariesOf, watchRequests } from './personal-data-leaks.ts';
import { journey } from './run-journey.ts';
import type { TestServer } from './test-server.ts';
import { goToCheckout, payAndFinish } from './walk-flow.ts';

const berlin = { latitude: 52.520008, longitude: 13.404954, accuracy: 30 };
const located = { geolocation: berlin, permissions: ['geolocation'] };
const wikipedia = 'https://www.wikipedia.org/';

/** Fictional numbers of countries around the clock. */
const awake = [
  { until: 10, number: '+81 90 1234 56' },
  { until: 17.5, number: '+49 1512 34567' },
  { until: 24, number: '+1 213 555 01' },
];

/** The last digits of the next number: each journey, and each retry, has its own. */
let next = Date.now();

/** A number in a country where it is daytime for at least another half hour. */
function number(now = new Date()): string {
  const hour = now.getUTCHours() + now.getUTCMinutes() / 60;
  const { number = '' } = awake.find(({ until }) => hour < until) ?? {};
  next += 1;
  return `${number}${String(next % 100).padStart(2, '0')}`;
}

async function fillIn({ page }: Visit, phone = ''): Promise<void> {
  if (phone) {
    // Already asked for where somebody else is.
    const change = page.locator('#change-number');
    await page.locator('#change-number, #phone').waitFor();
    if (await change.count()) await change.click();
    await page.locator('#phone').fill(phone);
  }
  await page.locator('#name').fill('Anna');
}

/** Creates a link to share. */
async function linkOf({ page }: Visit): Promise<string> {
  await page.locator('#copy').click();
  const link = page.getByText(/\/i#[\w-]{22}$/);
  return new URL((await link.textContent()) ?? '').href;
}

/** An invitee opens a link; nothing is stored or tracked. */
async function opens(
  another: (options: BrowserContextOptions) => Promise<Visit>,
  link: string,
  locale: string,
): Promise<{ person: Visit; traces: Trace[] }> {
  const person = await another({ ...located, locale });
  const traces = watchRequests(person.page);
  const sent: string[] = [];
  person.page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  await person.page.goto(link, { waitUntil: 'domcontentloaded' });
  await person.page.locator('#accept').waitFor();
  expect(new URL(person.page.url()).hash).toBe('');
  expect(await person.page.context().cookies()).toEqual([]);
  expect(sent.filter((path) => path.startsWith('/api'))).toEqual(['/api/v1/invitations/open']);
  return { person, traces };
}

/** Verifies the number by SMS code and blocks all requesters. */
async function blocksEveryone(person: Visit, { fakes }: TestServer, phone: string): Promise<void> {
  const { page } = person;
  const locale = await page.locator('html').getAttribute('lang');
  const shows = async (id: string) => {
    await page.locator(`#${id}`).waitFor();
    await person.checkAccessibility(`invited-${id}-${locale}`);
  };
  await page.locator('#block').click();
  await shows('everyone');
  await page.locator('#everyone').click();
  await shows('phone');
  person.expects(/invitations\/opt-out-code$/, 422);
  await page.locator('#phone').fill('+49 1512 0000000');
  await page.locator('#send-phone').click();
  await expect.poll(() => page.locator('#phone-error').textContent(), pollTimeout).not.toBe('');
  await person.shoot(`invited-change-number-${locale}`);
  const number = phone.replace(/[^+\d]/g, '');
  const before = fakes.sms.inbox(number).length;
  await page.locator('#phone').fill(phone);
  await page.locator('#send-phone').click();
  await expect.poll(() => fakes.sms.inbox(number).length, pollTimeout).toBe(before + 1);
  await shows('opt-out-code');
  await page
    .locator('#opt-out-code')
    .fill(/\d{6}/.exec(fakes.sms.inbox(number).at(-1)?.body ?? '')?.[0] ?? '');
  await page.locator('#send-opt-out-code').click();
  await page.locator('#opt-out-code').waitFor({ state: 'detached' });
  expect(await page.locator('#block').count()).toBe(0);
  await person.checkAccessibility(`invited-nobody-${locale}`);
}

journey(
  'invitation: kept until the e-mail is confirmed, sent by itself, accepted, seen, stopped, deleted',
  async ({ visitor, another, server }) => {
    const requests = watchRequests(visitor.page);
    await goToCheckout(visitor);
    await payAndFinish(visitor);
    await fillIn(visitor);
    await visitor.sees(/Anna asks you to share your location once, visible for 1 day/);
    await visitor.checkAccessibility('invitation-form');
    await visitor.tap('Text them for me');
    await visitor.sees(/^We emailed a six-digit code to/);
    await visitor.checkAccessibility('invitation-kept');
    const mailed = await emailedLink(server, visitor.email, '/m#');
    const sent = server.fakes.sms.state.messages.map(({ body }) => body);
    expect(sent.filter((body) => body.includes('Anna asks you'))).toEqual([]);
    const [mail] = server.fakes.mail
      .inbox(visitor.email)
      .filter(({ text }) => text.includes('/m#'));
    const [digits = ''] = /\d{6}/.exec(mail?.subject ?? '') ?? [];
    visitor.expects(/users\/me\/mailbox$/, 422);
    await visitor.page.locator('#mailbox-code').fill(digits === '000000' ? '111111' : '000000');
    await visitor.sees(/^Wrong or expired\./);
    await visitor.page.locator('#mailbox-code').fill(digits);
    await visitor.page.locator('[data-state=sending], [data-state=sent]').waitFor();
    await visitor.sees(/^(No answer yet|Goes out at .*)\.$/);
    await visitor.page.locator('#invite-another').click();
    const invited = number();
    await fillIn(visitor, invited);
    const link = await linkOf(visitor);
    await visitor.page.locator('#copy-again').waitFor();

    const { person, traces } = await opens(another, link, 'en');
    await person.sees('Anna is asking where you are');
    await person.checkAccessibility('invited-asked');
    await outside(visitor.page, async () => {
      // The browser takes some time to find the location.
      await outside(person.page, async () => {
        await person.tap('Share once');
        await person.sees('Anna can see where you were');
        await person.sees(/^Near Berlin/);
      });
      await person.page.locator('[data-streets=open] canvas').waitFor();
      await person.checkAccessibility('invited-shared');
      await visitor.sees('They said yes.');
      await visitor.sees(/^Near Berlin/);
    });
    await visitor.page.locator('[data-streets=open] canvas').waitFor();
    await visitor.checkAccessibility('invitation-accepted');

    await outside(visitor.page, async () => {
      await person.tap('Stop and delete');
      await person.sees('Nothing is shared');
      await person.checkAccessibility();
      await visitor.page.reload();
      await visitor.sees('They stopped sharing.');
    });
    expect(await visitor.page.getByText(/^Near Berlin/).count()).toBe(0);
    await visitor.checkAccessibility();

    await blocksEveryone(person, server, invited);
    await person.sees('Nobody can ask you through us.');
    await visitor.page.reload();
    await visitor.sees('They stopped sharing.');

    const code = new URL(link).hash.slice(1);
    for (const line of server.lines) expect(line).not.toContain(code);
    // Routes do not intercept icons.
    const elsewhere = '<!doctype html><link rel="icon" href="data:,">';
    await person.page.route(`${wikipedia}**`, (route) =>
      route.fulfill({ contentType: 'text/html', body: elsewhere }),
    );
    await person.tap('Leave page');
    await person.page.waitForURL(wikipedia);
    await person.page.goBack();
    expect(person.page.url()).not.toContain('/i');

    const token = await visitor.page.evaluate(() => sessionStorage.getItem('access_token') ?? '');
    expect(token).toMatch(/^ey/);
    const [mailCode = ''] = mailed.match(/[^#]+$/) ?? [];
    const codes = { 'access token': token, code, 'mailed code': mailCode };
    const place = { kind: 'place', written: [`${berlin.latitude}`, `${berlin.longitude}`] };
    const needles = needlesOf([...canariesOf(visitor.email, codes), place]);
    expect(findings(traces, needles)).toEqual([]);
    expect(findings(requests, needles)).toEqual(['sent to api.stripe.com body: card']);
  },
);
