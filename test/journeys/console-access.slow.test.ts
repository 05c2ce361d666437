import { expect } from 'vitest';
import { accessTeam } from '../fakes/index.ts';
import { journey as plain } from './run-journey.ts';

const audience = 'console';

const journey = plain.extend(
  'vars',
  { scope: 'file' },
  {
    ACCESS_TEAM: accessTeam,
    ACCESS_AUDIENCE: audience,
    CONSOLE_ROLES: 'vera@example.com=viewer, *@editors.example=marketer',
  },
);

journey(
  'console: behind Cloudflare Access a viewer reads only, and of two editors none overwrites the other',
  async ({ server, another }) => {
    const cookieOf = async (email: string, more = {}) =>
      server.fakes.access.token({ email, audience, ...more });
    const vera = 'vera@example.com';
    const bad: Record<string, string> = {
      none: '',
      expired: await cookieOf(vera, { lifetime: -120 }),
      forged: await cookieOf(vera, { forged: true }),
      'of another application': await cookieOf(vera, { audience: 'wiki' }),
      'of a stranger': await cookieOf('eve@elsewhere.example'),
    };
    const send = (path: string, token: string, method = 'POST') =>
      fetch(`${server.url}${path}`, {
        method,
        headers: {
          cookie: `CF_Authorization=${token}`,
          'sec-fetch-site': 'same-origin',
          'content-type': 'application/x-www-form-urlencoded',
        },
      });
    for (const [kind, token] of Object.entries(bad)) {
      const answers = [await send('/console', token, 'GET'), await send('/console/publish', token)];
      expect([kind, ...answers.map(({ status }) => status)]).toEqual([kind, 403, 403]);
    }

    const enterAs = async (email: string) => {
      const visit = await another({ viewport: { width: 1280, height: 900 } });
      const cookie = { name: 'CF_Authorization', value: await cookieOf(email), url: server.url };
      await visit.page.context().addCookies([cookie]);
      await visit.open('/console');
      await visit.page.getByText(email).waitFor();
      return visit;
    };

    const viewer = await enterAs(vera);
    await viewer.tap('Experiments');
    await viewer.page.getByText('View the split').click();
    const review = viewer.page.getByRole('button', { name: 'Review the change' });
    expect(await review.isDisabled()).toBe(true);
    viewer.expects(/console\/people/, 403);
    await viewer.open('/console/people');
    await viewer.sees('Ask an owner of this funnel');
    const own = await cookieOf(vera);
    const writes = [
      'publish',
      'schedule',
      'texts/publish',
      'people/a/refund/p',
      'operations/replay',
    ];
    for (const path of writes) {
      expect([path, (await send(`/console/${path}`, own)).status]).toEqual([path, 403]);
    }

    const [ann, bob] = [await enterAs('ann@editors.example'), await enterAs('bob@editors.example')];
    const add = async ({ page }: typeof ann, name: string) => {
      await page.getByText('Change the split').click();
      await page.getByLabel('Name of new variant').fill(name);
      await page.getByLabel('Flow of new variant').selectOption('lp11ch8');
      await page.getByLabel('Slider of new variant').fill('40');
    };
    for (const [editor, name] of [
      [ann, 'short'],
      [bob, 'long'],
    ] as const) {
      await editor.tap('Experiments');
      await add(editor, name);
      await editor.tap('Review the change');
      await editor.sees(`40% of new visitors will see “${name}” instead of “fullPrice”.`);
    }
    await ann.page.getByLabel('Reason, for the audit').fill('a test');
    await ann.tap('Publish');
    await ann.sees('Published version');
    bob.expects(/console\/publish/, 409);
    await bob.page.getByLabel('Reason, for the audit').fill('a test');
    await bob.tap('Publish');
    await bob.sees('ann@editors.example published another version');
    await bob.sees('40% of new visitors will see “long” instead of “short”.');
    await bob.checkAccessibility();
    await bob.tap('Start over from their version');
    await bob.page.getByText('Change the split').click();
    await bob.page.getByRole('textbox', { name: 'Name of short' }).waitFor();
  },
);
